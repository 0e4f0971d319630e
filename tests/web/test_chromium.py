"""The pages in a real Chromium: nothing is refused by the policy, keys suffice, wide and narrow, light and dark.

`DREAM_SHOTS=folder` in the environment of the tests keeps a picture of each view, for the eye; none is kept in git.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dream.web.watch import Watch
from tests.web.conftest import served

selenium = pytest.importorskip("selenium", reason="a real browser is driven with selenium (requirements/dev.txt)")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="no Chromium with its driver (apt-get install chromium chromium-driver)"
)
VIEWS = ("/", "/nights", "/night/2026-09-10", "/night/2026-09-19/undo", "/holds", "/search?q=serveur", "/graph",
         "/garden", "/ledger")  # fmt: skip
WIDE, NARROW = (1280, 900), (390, 844)


@pytest.fixture(scope="module")
def watch(_lived: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watch]:
    folder = tmp_path_factory.mktemp("chromium") / "copy"
    shutil.copytree(_lived, folder)
    made = served(folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(BROWSER)
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = Chrome(options=options, service=Service(str(DRIVER)))
    made.set_page_load_timeout(120)
    yield made
    made.quit()


@pytest.fixture
def page(driver: Any, watch: Watch) -> Any:
    """`page(path)`: go there, signed in; complaints of the browser are looked at after each."""
    assert watch.listener is not None
    base = f"http://127.0.0.1:{watch.listener.port}"
    driver.get(f"{base}/?token={watch.token}")
    assert "Dream" in driver.title

    def go(path: str) -> Any:
        driver.get(f"{base}{path}")
        complaints = [each["message"] for each in driver.get_log("browser") if each["level"] in {"SEVERE", "WARNING"}]
        assert not complaints, f"{path}: {complaints}"
        return driver

    return go


def look(driver: Any, size: tuple[int, int], theme: str = "light") -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500},
    )
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def shoot(driver: Any, name: str) -> None:
    folder = os.environ.get("DREAM_SHOTS", "")
    if folder:
        import base64

        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.ui import WebDriverWait

        Path(folder).mkdir(parents=True, exist_ok=True)
        asked = {"captureBeyondViewport": True, "format": "png"}
        wait = WebDriverWait(
            driver, 60, ignored_exceptions=(WebDriverException,)
        )  # a page just resized has no width yet
        shot = wait.until(lambda page: page.execute_cdp_cmd("Page.captureScreenshot", asked))
        (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def drawn(driver: Any, seconds: float = 60) -> int:
    """Wait until the graph is drawn; how many nodes."""
    from selenium.webdriver.support.ui import WebDriverWait

    script = "return document.getElementById('graph').dataset.drawn || ''"
    return int(WebDriverWait(driver, seconds).until(lambda page: page.execute_script(script)))


def opened(driver: Any, press: str, place: str) -> None:
    """Press what the selector finds, and wait for the page it leads to: a click returns before its page is there."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support import expected_conditions as expected
    from selenium.webdriver.support.ui import WebDriverWait

    old = driver.find_element(By.TAG_NAME, "html")
    driver.find_element(By.CSS_SELECTOR, press).click()
    WebDriverWait(driver, 60).until(expected.url_contains(place))
    WebDriverWait(driver, 60).until(expected.staleness_of(old))
    WebDriverWait(driver, 60).until(lambda page: page.execute_script("return document.readyState") == "complete")


@pytest.mark.parametrize("path", VIEWS)
@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (NARROW, "dark")])
def test_a_view_fits_its_screen_and_breaks_no_policy(
    page: Any, driver: Any, path: str, size: tuple[int, int], theme: str
) -> None:
    look(driver, size, theme)
    page(path)
    if path == "/graph":
        drawn(driver)
    over = driver.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    assert over <= 0, f"{over} pixels wider than the screen"
    shoot(driver, f"{path.strip('/').replace('/', '-').split('?')[0] or 'today'}-{size[0]}-{theme}")


def test_no_request_leaves_for_elsewhere(page: Any, driver: Any, watch: Watch) -> None:
    driver.get_log("performance")
    for path in VIEWS:
        page(path)
    asked = [json.loads(each["message"])["message"] for each in driver.get_log("performance")]
    urls = [each["params"]["request"]["url"] for each in asked if each["method"] == "Network.requestWillBeSent"]
    assert watch.listener is not None and urls
    assert all(url.startswith((f"http://127.0.0.1:{watch.listener.port}/", "data:")) for url in urls)


def test_the_graph_is_drawn_and_a_node_opens(page: Any, driver: Any) -> None:
    from selenium.webdriver.common.by import By

    look(driver, WIDE)
    page("/graph")
    assert drawn(driver) == len(driver.find_elements(By.CSS_SELECTOR, "#list li")) > 3
    kinds = {each.text.strip() for each in driver.find_elements(By.CSS_SELECTOR, "#key li")}
    assert "decision" in kinds, "each colour has its word"
    link = driver.find_element(By.CSS_SELECTOR, "#list a").get_attribute("href")
    page(link[link.index("/node") :])
    for size, theme in ((WIDE, "light"), (NARROW, "dark")):
        look(driver, size, theme)
        shoot(driver, f"node-{size[0]}-{theme}")
    assert driver.find_elements(By.CSS_SELECTOR, ".curve polyline")
    page(link[link.index("/node") :].replace("/node/", "/forget/"))
    shoot(driver, "forget-390-dark")


def test_keys_alone_reach_everything_and_the_place_is_seen(page: Any, driver: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    look(driver, WIDE)
    page("/holds")
    seen = []
    for _ in range(40):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        focused = driver.switch_to.active_element
        if focused.tag_name == "body":
            break
        outline = driver.execute_script("return getComputedStyle(arguments[0]).outlineStyle", focused)
        assert outline != "none", f"{focused.text!r} shows no focus"
        seen.append(focused.get_attribute("href") or focused.tag_name)
    assert "#main" in seen[0]
    wanted = {each.get_attribute("href") for each in driver.find_elements(By.CSS_SELECTOR, "a")}
    assert wanted <= set(seen)


def test_a_hold_is_decided_in_the_browser_in_french(page: Any, driver: Any) -> None:
    from selenium.webdriver.common.by import By

    look(driver, NARROW)
    page("/holds?lang=fr")
    opened(driver, "main ul a", "/hold/h-")
    assert "Faut-il s'en souvenir" in driver.find_element(By.TAG_NAME, "h1").text
    shoot(driver, "hold-390-fr")
    look(driver, WIDE)
    shoot(driver, "hold-1280-fr")
    opened(driver, "button[value=accept]", "/node/f-")
    page("/holds")
    for _ in driver.find_elements(By.CSS_SELECTOR, "main ul a[href^='/hold/']"):  # how many the samples leave is theirs
        opened(driver, "main ul a", "/hold/h-")
        opened(driver, "button[value=accept]", "/node/f-")
        page("/holds")
    assert "Rien ne vous attend" in driver.find_element(By.TAG_NAME, "main").text
    page("/?lang=en")


def test_words_are_readable_against_their_ground(page: Any, driver: Any) -> None:
    """WCAG AA: 4.5 to 1 for every piece of text, in both themes."""
    for theme in ("light", "dark"):
        look(driver, WIDE, theme)
        for path in ("/", "/night/2026-09-10", "/search?q=serveur"):
            page(path)
            worst = driver.execute_script(CONTRAST)
            assert worst["ratio"] >= 4.5, (theme, path, worst)


CONTRAST = """
const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => {
  const curve = (c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const part = [r, g, b].map((each) => curve(each / 255));
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
};
let worst = { ratio: 99, text: "" };
for (const each of document.querySelectorAll("body *")) {
  const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !each.offsetParent || ["OPTION", "METER"].includes(each.tagName)) continue;
  let ground = each, back = [0, 0, 0, 0];
  while (ground) {
    back = parse(getComputedStyle(ground).backgroundColor);
    if (back.length === 3 || back[3] > 0) break;
    ground = ground.parentElement;
  }
  const [one, two] = [light(parse(getComputedStyle(each).color)), light(back)].sort((a, b) => b - a);
  const ratio = (one + 0.05) / (two + 0.05);
  if (ratio < worst.ratio) worst = { ratio, text: each.textContent.trim().slice(0, 60), tag: each.tagName };
}
return worst;
"""
