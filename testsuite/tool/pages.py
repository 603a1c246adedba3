# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a page of `pathdump html`: as a browser without JavaScript does, and in headless Chromium."""

import base64
import collections
import contextlib
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.parse
import zlib

import pytest

VOID = {"meta", "input", "link", "img", "br"}


def write_source(folder, name="a.c", lines=60):
    """Text for the lines before `lines` of a file that made profiles name."""
    (folder / name).write_text("".join(f"text {number};\n" for number in range(1, lines)))
    os.utime(folder / name, (1, 1))  # a newer one than the profile is in doubt


class Page(html.parser.HTMLParser):
    """Tables by the id of their section, packed data, and what a page must not have."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.text = text
        self.tables = collections.defaultdict(list)  # section → rows; cells are (text, link)
        self.heads = collections.defaultdict(list)
        self.packed = {}
        self.scripts, self.styles, self.tags, self.attributes, self.policy = [], [], set(), [], ""
        self.section = self.cell = self.data = None
        self.open = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in attributes.items()]
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("section", "article"):
            self.section = attributes["id"]
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th"):
            self.cell = ["", None]
            self.kind = attributes.get("scope", "")
        elif tag == "a" and self.cell:
            self.cell[1] = self.cell[1] or attributes["href"]
        elif tag in ("script", "style"):
            self.data = (tag, attributes.get("data-kind"), attributes.get("data-key"), [])
        elif tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag in ("td", "th"):
            (self.heads[self.section] if self.kind == "col" else self.row).append(tuple(self.cell))
            self.cell = None
        elif tag == "tr" and self.row:
            self.tables[self.section].append(self.row)
        elif tag in ("script", "style"):
            name, kind, key, data = self.data
            text = "".join(data)
            if kind:
                self.packed[kind, urllib.parse.unquote(key)] = text
            else:
                (self.scripts if name == "script" else self.styles).append(text)
            self.data = None

    def handle_data(self, data):
        if self.data:
            self.data[3].append(data)
        elif self.cell:
            self.cell[0] += data

    def rows(self, section):
        """Each row as a dictionary by the columns' titles."""
        titles = [text for text, _ in self.heads[section]]
        return [dict(zip(titles, (text for text, _ in row))) for row in self.tables[section]]

    def links(self, section):
        return [[link for _, link in row if link] for row in self.tables[section]]

    def unpack(self, kind, key):
        return json.loads(zlib.decompress(base64.b64decode(self.packed[kind, str(key)])))

    def keys(self, kind):
        return [key for of, key in self.packed if of == kind]


def is_executable(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def axe_core():
    """The script that looks for what keeps people from using a page."""
    folders = ["/usr/share/nodejs"]
    if shutil.which("npm"):
        folders.insert(0, subprocess.run(["npm", "root", "--global"], stdout=subprocess.PIPE, text=True, timeout=60).stdout.strip())
    for folder in folders:
        script = pathlib.Path(folder, "axe-core/axe.min.js")
        if script.is_file():
            return script.read_text(encoding="utf-8")
    pytest.skip("axe-core is not installed (make deps check does, where there is npm)")


class Browser:
    """Headless Chromium with one page."""

    def __init__(self, folder, dark=False):
        webdriver = pytest.importorskip("selenium.webdriver", reason="python3-selenium is not installed")
        program, driver = is_executable("chromium", "google-chrome"), is_executable("chromedriver")
        if not program or not driver:
            pytest.skip("chromium and chromium-driver are not installed")
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for argument in ("--headless=new", "--disable-gpu", "--window-size=1500,950", f"--user-data-dir={folder}"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.chrome.service.Service(driver))
        self.driver.set_script_timeout(30)
        # Where much else runs, the window may not have got the focus yet, and then focus() tells nobody.
        self.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})

    def open(self, path, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(f"file://{path}{fragment}")
        self.settle()

    def go(self, fragment):
        self.run("location.hash = arguments[0]", fragment)
        self.settle()

    def settle(self):
        """Waits until the view shows what the address says."""
        self.driver.execute_async_script("""
            const done = arguments[0], view = document.querySelector('#view');
            const look = () => {
              const hash = location.hash.slice(1);
              if (!hash.includes('=') || view.dataset.shown === hash) requestAnimationFrame(() => done());
              else setTimeout(look, 10);
            };
            setTimeout(look, 20);""")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def texts(self, selector):
        """Of elements that can be seen."""
        return self.run("""return [...document.querySelectorAll(arguments[0])]
            .filter((e) => e.getClientRects().length).map((e) => e.textContent)""", selector)

    def number(self, selector):
        return len(self.texts(selector))

    def click(self, selector, text=None):
        self.run("""const all = [...document.querySelectorAll(arguments[0])];
            all.find((e) => arguments[1] === null || e.textContent === arguments[1])
              .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));""", selector, text)
        self.settle()

    def press(self, keys):
        self.driver.switch_to.active_element.send_keys(keys)
        self.settle()

    def emulate(self, **media):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]})

    def resize(self, width=0, height=0):
        """The window's inner size, which a real window could not have; back to that of the real one."""
        if width:
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        else:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    @contextlib.contextmanager
    def seen_at(self, width, colours):
        """The window so wide and with a scheme of colours, and afterwards as it was."""
        self.emulate(prefers_color_scheme=colours)
        self.resize(width, 900)
        try:
            yield
        finally:
            self.resize()
            self.emulate(prefers_color_scheme="light")

    def complaints(self):
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def violations(self, axe):
        """What axe-core finds against WCAG 2.2 AA and good practice: rule, elements, and what is wrong with them."""
        self.run(axe)
        found = self.driver.execute_async_script("""
            const done = arguments[0], tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
            axe.run(document, { runOnly: tags }).then((result) => done(result), (error) => done({ error: String(error) }));""")
        assert "error" not in found and len(found["passes"]) > 10, found
        return [(rule["id"], [(node["target"], node["failureSummary"]) for node in rule["nodes"][:3]]) for rule in found["violations"]]

    def check_access(self, axe, width, colours, fragments):
        """Asserts that axe-core reports nothing at any of the fragments, and that the page is no wider than the window."""
        with self.seen_at(width, colours):
            for fragment in fragments:
                self.go(fragment)
                assert not (found := self.violations(axe)), (fragment, found)
                assert self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0

    def requests(self):
        """Addresses asked for that are no files."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        addresses = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [address for address in addresses if not re.match("file:|about:|data:|blob:", address)]

    def quit(self):
        self.driver.quit()
