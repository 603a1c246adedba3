/* compile.c - the lexer and the one-pass compiler of tinybc.

     program     { function | statement }
     function    "fn" name "(" [ name { "," name } ] ")" block
     block       "{" { statement } "}"
     statement   block | "let" name "=" expr ";" | name "=" expr ";" | call ";"
               | "if" expr block [ "else" ( block | if-statement ) ] | "while" expr block
               | "return" [ expr ] ";" | "print" expr { "," expr } ";"
     expr        binary operators by precedence: or, and, comparison, + -, * / %
     unary       { "-" | "not" } ( number | name | call | "(" expr ")" )

   A comment extends from # to the end of the line.  The scope of a variable is its block; variables of
   the outermost level are global.  A function can be called before its definition.  */

#include "tinybc.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NESTING = 200 };

/* Tokens.  The keywords and the operators are in the order of TOKEN_TEXT.  */
/* clang-format off */
enum token_kind {
  T_AND, T_ELSE, T_FN, T_IF, T_LET, T_NOT, T_OR, T_PRINT, T_RETURN, T_WHILE, /* keywords */
  T_EQ, T_NE, T_LE, T_GE, T_LT, T_GT, T_PLUS, T_MINUS, T_STAR, T_SLASH, T_PERCENT,
  T_ASSIGN, T_LPAREN, T_RPAREN, T_LBRACE, T_RBRACE, T_COMMA, T_SEMICOLON,
  T_NUMBER, T_NAME, T_END
};
/* clang-format on */

static const char *const token_text[] = {
    "and", "else", "fn", "if", "let", "not", "or", "print", "return", "while",
    "==",  "!=",   "<=", ">=", "<",   ">",   "+",  "-",     "*",      "/",
    "%",   "=",    "(",  ")",  "{",   "}",   ",",  ";"};

struct token {
  enum token_kind kind;
  struct name text;
  int line;
  int64_t number;
};

struct variable {
  struct name name;
  int level; /* Nesting depth of its block.  */
  int slot;
};

static const char *source; /* The source that is not parsed yet.  */
static int source_line;
static struct token token; /* The next token to parse.  */
static struct program *program;
static struct function *current; /* The function that is being compiled.  */
static struct variable variables[2 * MAX_VARIABLES];
static int variable_count, level, depth, nesting;
static int last_line; /* Line of the previous token.  */

static int same_name(struct name a, struct name b) {
  return a.length == b.length && memcmp(a.start, b.start, (size_t)a.length) == 0;
}

/* Lexer.  */

static void skip_space(void) {
  for (; isspace((unsigned char)*source) || *source == '#'; source++) {
    if (*source == '#')
      source += strcspn(source, "\n");
    if (*source == '\0')
      return;
    if (*source == '\n')
      source_line++;
  }
}

static void lex_number(void) {
  token.kind = T_NUMBER;
  token.number = 0;
  for (; isdigit((unsigned char)*source); source++) {
    int digit = *source - '0';
    if (token.number > (INT64_MAX - digit) / 10)
      error_at(source_line, "number too large");
    token.number = token.number * 10 + digit;
  }
}

static void lex_word(void) {
  while (isalnum((unsigned char)*source) || *source == '_')
    source++;
  struct name word = {token.text.start, (int)(source - token.text.start)};
  token.kind = T_NAME;
  for (int k = T_AND; k <= T_WHILE; k++)
    if (same_name(word, (struct name){token_text[k], (int)strlen(token_text[k])}))
      token.kind = (enum token_kind)k;
}

static void lex_operator(void) {
  for (int k = T_EQ; k <= T_SEMICOLON; k++) {
    size_t length = strlen(token_text[k]);
    if (strncmp(source, token_text[k], length) == 0) {
      token.kind = (enum token_kind)k;
      source += length;
      return;
    }
  }
  error_at(source_line, "unexpected character");
}

static void next_token(void) {
  last_line = token.line;
  skip_space();
  token.text.start = source;
  token.line = source_line;
  if (*source == '\0')
    token.kind = T_END;
  else if (isdigit((unsigned char)*source))
    lex_number();
  else if (isalpha((unsigned char)*source) || *source == '_')
    lex_word();
  else
    lex_operator();
  token.text.length = (int)(source - token.text.start);
}

static _Noreturn void unexpected(const char *wanted) {
  if (token.kind == T_END)
    error_at(token.line, "expected %s at the end of the file", wanted);
  error_at(token.line, "expected %s before '%.*s'", wanted, token.text.length, token.text.start);
}

static int accept(enum token_kind kind) {
  if (token.kind != kind)
    return 0;
  next_token();
  return 1;
}

static void expect(enum token_kind kind) {
  if (!accept(kind))
    unexpected(token_text[kind]);
}

static struct token expect_name(void) {
  struct token name = token;
  if (token.kind != T_NAME)
    unexpected("a name");
  next_token();
  return name;
}

/* Code.  */

static void emit_byte(int byte) {
  if (program->code_size == MAX_CODE)
    error_at(last_line, "program too large");
  program->line[program->code_size] = last_line;
  program->code[program->code_size++] = (uint8_t)byte;
}

static void change_depth(int effect) {
  depth += effect;
  if (depth > current->max_depth)
    current->max_depth = depth;
}

/* The two most recent instructions, latest first.  Instructions before a jump target are replaced by
   OP_HALT.  */
static enum opcode before[2];

static void forget(void) {
  before[0] = before[1] = OP_HALT;
}

/* Combine MOD, CONST, and OP, which is about to be emitted, into one instruction if such an instruction
   exists.  The combined instruction replaces MOD and has its line.  */
static int combine(enum opcode op) {
#ifdef COMBINED
  if (op == OP_EQ && before[0] == OP_CONST && before[1] == OP_MOD) {
    uint8_t *mod = program->code + program->code_size - 4;
    mod[0] = OP_MOD_CONST_EQ;
    mod[1] = mod[2];
    mod[2] = mod[3];
    program->code_size--;
    change_depth(-1);
    forget();
    return 1;
  }
#endif
  before[1] = before[0];
  before[0] = op;
  return 0;
}

/* Emit an instruction.  */
static void emit(enum opcode op, int operand) {
#define OPERAND_BYTES(name, operand, effect) operand,
#define EFFECT(name, operand, effect) effect,
  static const uint8_t operand_bytes[] = {OPCODES(OPERAND_BYTES)};
  static const signed char effects[] = {OPCODES(EFFECT)};

  if (combine(op))
    return;
  emit_byte((int)op);
  if (operand_bytes[op] == 2)
    emit_byte(operand >> 8);
  if (operand_bytes[op] > 0)
    emit_byte(operand & 0xff);
  change_depth(effects[op]);
}

static void emit_constant(int64_t value) {
  int i = 0;
  while (i < program->constant_count && program->constants[i] != value)
    i++;
  if (i == MAX_CONSTANTS)
    error_at(last_line, "too many different numbers");
  if (i == program->constant_count)
    program->constants[program->constant_count++] = value;
  emit(OP_CONST, i);
}

/* Emit a jump with an unknown target, and return its position for land.  */
static uint32_t emit_jump(enum opcode op) {
  emit(op, 0);
  return program->code_size - 2;
}

/* Set the target of the jump at PLACE to the current position.  */
static void land(uint32_t place) {
  forget();
  program->code[place] = (uint8_t)(program->code_size >> 8);
  program->code[place + 1] = (uint8_t)program->code_size;
}

/* Names.  */

static struct variable *find_variable(const struct token *name) {
  for (int i = variable_count; i-- > 0;)
    if (same_name(variables[i].name, name->text))
      return &variables[i];
  return NULL;
}

static struct variable *declare(const struct token *name) {
  struct variable *v = find_variable(name);
  int slot = 0;

  if (v != NULL && v->level == level)
    error_at(name->line, "'%.*s' is already declared", name->text.length, name->text.start);
  for (int i = variable_count; i-- > 0 && (variables[i].level == 0) == (level == 0);)
    slot++;
  if (slot == MAX_VARIABLES)
    error_at(name->line, "too many variables");
  v = &variables[variable_count++];
  *v = (struct variable){name->text, level, slot};
  if (level > 0 && slot >= current->slots)
    current->slots = slot + 1;
  return v;
}

static struct variable *use_variable(const struct token *name) {
  struct variable *v = find_variable(name);
  if (v == NULL)
    error_at(name->line, "'%.*s' is not declared", name->text.length, name->text.start);
  return v;
}

/* Return the function called NAME.  If it does not exist yet, add it with the given number of
   parameters.  */
static int find_function(const struct token *name, int parameters) {
  int i = 1;

  while (i < program->function_count && !same_name(program->functions[i].name, name->text))
    i++;
  if (i == MAX_FUNCTIONS)
    error_at(name->line, "too many functions");
  struct function *f = &program->functions[i];
  if (i == program->function_count) {
    *f = (struct function){.name = name->text, .parameters = parameters, .line = name->line};
    program->function_count++;
  }
  if (f->parameters != parameters)
    error_at(name->line, "'%.*s' has %d parameters elsewhere but %d here", f->name.length,
             f->name.start, f->parameters, parameters);
  return i;
}

/* Expressions.  */

static void expression(int precedence);

static void enter(void) {
  if (++nesting > MAX_NESTING)
    error_at(token.line, "too much nesting");
}

static void call(const struct token *name) {
  int arguments = 0;

  if (token.kind != T_RPAREN) {
    do {
      expression(0);
      arguments++;
    } while (accept(T_COMMA));
  }
  expect(T_RPAREN);
  if (arguments > MAX_VARIABLES)
    error_at(name->line, "too many arguments");
  last_line = name->line;
  change_depth(-arguments);
  emit(OP_CALL, find_function(name, arguments));
}

static void primary(void) {
  struct token t = token;

  next_token();
  switch (t.kind) {
  case T_NUMBER:
    emit_constant(t.number);
    break;
  case T_LPAREN:
    expression(0);
    expect(T_RPAREN);
    break;
  case T_NAME:
    if (accept(T_LPAREN)) {
      call(&t);
    } else {
      struct variable *v = use_variable(&t);
      emit(v->level == 0 ? OP_LOAD_GLOBAL : OP_LOAD_LOCAL, v->slot);
    }
    break;
  default:
    token = t;
    unexpected("an expression");
  }
}

static void unary(void) {
  enum token_kind kind = token.kind;

  enter();
  if (accept(T_MINUS) || accept(T_NOT)) {
    unary();
    emit(kind == T_MINUS ? OP_NEG : OP_NOT, 0);
  } else {
    primary();
  }
  nesting--;
}

struct binary_operator {
  int precedence; /* 0 for a token that is not an operator.  */
  enum opcode op;
};

static struct binary_operator binary_operator(enum token_kind kind) {
  static const struct binary_operator operators[T_END + 1] = {
      [T_OR] = {1, OP_OR},      [T_AND] = {2, OP_AND},  [T_EQ] = {3, OP_EQ},
      [T_NE] = {3, OP_NE},      [T_LT] = {3, OP_LT},    [T_LE] = {3, OP_LE},
      [T_GT] = {3, OP_GT},      [T_GE] = {3, OP_GE},    [T_PLUS] = {4, OP_ADD},
      [T_MINUS] = {4, OP_SUB},  [T_STAR] = {5, OP_MUL}, [T_SLASH] = {5, OP_DIV},
      [T_PERCENT] = {5, OP_MOD}};
  return operators[kind];
}

/* Compile an expression of operators that bind tighter than PRECEDENCE.  */
static void expression(int precedence) {
  struct binary_operator o;

  unary();
  while ((o = binary_operator(token.kind)).precedence > precedence) {
    int line = token.line;
    next_token();
    if (o.op == OP_AND || o.op == OP_OR) {
      uint32_t end = emit_jump(o.op);
      expression(o.precedence);
      land(end);
    } else {
      expression(o.precedence);
      last_line = line;
      emit(o.op, 0);
    }
  }
}

/* Statements.  */

static void statement(void);

static void block(void) {
  expect(T_LBRACE);
  level++;
  while (token.kind != T_RBRACE && token.kind != T_END)
    statement();
  while (variable_count > 0 && variables[variable_count - 1].level == level)
    variable_count--;
  level--;
  expect(T_RBRACE);
}

static void if_statement(void) {
  expression(0);
  uint32_t otherwise = emit_jump(OP_JUMP_IF_ZERO);
  block();
  if (!accept(T_ELSE)) {
    land(otherwise);
    return;
  }
  uint32_t end = emit_jump(OP_JUMP);
  land(otherwise);
  if (token.kind == T_IF)
    statement();
  else
    block();
  land(end);
}

static void while_statement(void) {
  int start = (int)program->code_size;
  forget();
  expression(0);
  uint32_t end = emit_jump(OP_JUMP_IF_ZERO);
  block();
  emit(OP_JUMP, start);
  land(end);
}

static void print_statement(void) {
  do {
    expression(0);
    emit(OP_PRINT, token.kind == T_COMMA ? ' ' : '\n');
  } while (accept(T_COMMA));
  expect(T_SEMICOLON);
}

static void return_statement(void) {
  if (current == program->functions)
    error_at(last_line, "return outside of a function");
  if (token.kind == T_SEMICOLON)
    emit_constant(0);
  else
    expression(0);
  expect(T_SEMICOLON);
  emit(OP_RETURN, 0);
}

static void assignment(struct variable *v) {
  emit(v->level == 0 ? OP_STORE_GLOBAL : OP_STORE_LOCAL, v->slot);
  expect(T_SEMICOLON);
}

static void let_statement(void) {
  struct token name = expect_name();
  expect(T_ASSIGN);
  expression(0);
  assignment(declare(&name));
}

static void name_statement(void) {
  struct token name = expect_name();

  if (accept(T_LPAREN)) {
    call(&name);
    emit(OP_POP, 0);
    expect(T_SEMICOLON);
    return;
  }
  struct variable *v = use_variable(&name);
  expect(T_ASSIGN);
  expression(0);
  assignment(v);
}

static void statement(void) {
  enter();
  if (accept(T_LET))
    let_statement();
  else if (accept(T_IF))
    if_statement();
  else if (accept(T_WHILE))
    while_statement();
  else if (accept(T_PRINT))
    print_statement();
  else if (accept(T_RETURN))
    return_statement();
  else if (token.kind == T_LBRACE)
    block();
  else if (token.kind == T_NAME)
    name_statement();
  else
    unexpected("a statement");
  nesting--;
}

static void function(void) {
  struct token name = expect_name();
  struct token parameters[MAX_VARIABLES];
  int count = 0;

  expect(T_LPAREN);
  if (token.kind != T_RPAREN) {
    do {
      if (count == MAX_VARIABLES)
        error_at(token.line, "too many parameters");
      parameters[count++] = expect_name();
    } while (accept(T_COMMA));
  }
  expect(T_RPAREN);
  current = &program->functions[find_function(&name, count)];
  if (current->defined)
    error_at(name.line, "'%.*s' is already defined", name.text.length, name.text.start);
  current->defined = 1;
  uint32_t end = emit_jump(OP_JUMP);
  current->address = program->code_size;
  level++;
  for (int i = 0; i < count; i++)
    declare(&parameters[i]);
  block();
  emit_constant(0);
  emit(OP_RETURN, 0);
  variable_count -= count;
  level--;
  land(end);
  current = program->functions;
}

void compile(const char *text, struct program *p) {
  source = text;
  source_line = 1;
  program = p;
  program->functions[0] = (struct function){.defined = 1};
  program->function_count = 1;
  current = program->functions;
  next_token();
  while (token.kind != T_END) {
    if (accept(T_FN))
      function();
    else
      statement();
  }
  emit(OP_HALT, 0);
  for (const struct function *f = p->functions; f < p->functions + p->function_count; f++)
    if (!f->defined)
      error_at(f->line, "'%.*s' is not defined", f->name.length, f->name.start);
}
