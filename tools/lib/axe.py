"""axe-core, which looks for errors of accessibility in a page. Its file comes from a package of PyPI."""

from from_pypi import packed_file

SERIOUS = ("serious", "critical")
# Marks what it has found: rule, impact, and the first elements.
RUN = """
window.axe.run(document, { resultTypes: ["violations"] }).then(
  ({ violations, passes }) => done({
    passed: passes.length,
    violations: violations.map(({ id, impact, nodes }) => [id, impact, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]),
  }),
  (error) => done({ error: String(error) }));
"""


def axe_source():
    """The script; None if it cannot be had."""
    return packed_file("axe-playwright-python", "axe_playwright_python/axe.min.js")


def serious_findings(page, source):
    """What axe finds in the page as it is now; lesser findings are left out."""
    if not page.run("return typeof window.axe === 'object'"):
        page.run(source + ";window.axe = window.axe ?? axe;")
    found = page.run_async(RUN)
    if "error" in found or found["passed"] == 0:
        raise RuntimeError(f"axe did not look at the page: {found}")
    return [finding for finding in found["violations"] if finding[1] in SERIOUS]
