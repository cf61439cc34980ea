import APNSModel

/// The page `docs/rules.html`: all rules with a search, in one file that needs no server.
public enum RulesSite {
    public static func html(_ rules: [Rule] = Rule.all) -> String {
        var page = head
        for rule in rules {
            let pushTypes = rule.pushTypes.documented.map(\.rawValue)
            let isGeneral = pushTypes.count == PushType.known.count
            let types =
                isGeneral ? "every push type" : pushTypes.isEmpty ? "no push type" : pushTypes.joined(separator: ", ")
            page += """
                <article id="\(rule.id)" data-severity="\(rule.severity.rawValue)" data-layer="\(rule.layer.rawValue)" \
                data-types="\(pushTypes.joined(separator: " "))">
                <h2><a href="#\(rule.id)">\(rule.id)</a> <small>\(rule.severity.rawValue), \(rule.layer.rawValue)\
                \(rule.refusal.map { ", APNs answers \($0.code)" } ?? "")</small></h2>
                <p><b>\(text(rule.summary))</b> \(text(rule.rationale))</p>
                <p>For \(types). Source: \(link(rule.source))</p>
                <pre>passes\n\(examples(rule.passes))\nfails\n\(examples(rule.fails))</pre>
                </article>

                """
        }
        return page + foot
    }

    private static func examples(_ examples: [Example]) -> String {
        examples.map { "  " + escaped(RulesPage.line(for: $0)) }.joined(separator: "\n")
    }

    private static func link(_ source: String) -> String {
        source.hasPrefix("https://") ? "<a href=\"\(source)\">\(escaped(source))</a>" : text(source)
    }

    /// Text with code between backticks.
    private static func text(_ text: String) -> String {
        escaped(text).split(separator: "`", omittingEmptySubsequences: false).enumerated().map { number, part in
            number.isMultiple(of: 2) ? String(part) : "<code>\(part)</code>"
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    private static let types = PushType.known.map { "<option>\($0.rawValue)</option>" }.joined()
    private static let severities = Severity.allCases.map { "<option>\($0.rawValue)</option>" }.joined()
    private static let layers = Layer.allCases.map { "<option>\($0.rawValue)</option>" }.joined()

    private static let head = """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Rules of apns validate</title>
        <style>
        :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
        body { max-width: 60rem; margin: 0 auto; padding: 1rem }
        form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem; padding: .5rem 0; background: Canvas }
        input { flex: 1 12rem }
        input, select { font: inherit; padding: .25rem }
        article { border-top: 1px solid GrayText }
        article:target { outline: 2px solid Highlight; outline-offset: .5rem }
        h2 { font-size: 1.1rem; scroll-margin-top: 4rem } h2 small { font-weight: normal; color: GrayText }
        pre { overflow-x: auto; font-size: .85rem }
        [hidden] { display: none }
        </style>
        <h1>Rules</h1>
        <p>What <code>apns validate</code> checks. A finding names its rule: the address of a rule is this page with <code>#</code> \
        and the id. This page is generated from the rules.</p>
        <form role="search" onsubmit="return false">
        <input type="search" name="text" placeholder="Words" aria-label="Words">
        <select name="severity" aria-label="Severity"><option value="">every severity</option>\(severities)</select>
        <select name="layer" aria-label="Layer"><option value="">every layer</option>\(layers)</select>
        <select name="type" aria-label="Push type"><option value="">every push type</option>\(types)</select>
        <output></output>
        </form>

        """

    private static let foot = """
        <script>
        const form = document.forms[0], rules = [...document.querySelectorAll("article")];
        function show() {
          const words = form.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
          let count = 0;
          for (const rule of rules) {
            const content = rule.textContent.toLowerCase(), facts = rule.dataset;
            rule.hidden = !words.every((word) => content.includes(word))
              || (form.severity.value !== "" && form.severity.value !== facts.severity)
              || (form.layer.value !== "" && form.layer.value !== facts.layer)
              || (form.type.value !== "" && !facts.types.split(" ").includes(form.type.value));
            if (!rule.hidden) count += 1;
          }
          form.querySelector("output").value = `${count} of ${rules.length}`;
        }
        function reveal() {
          const rule = document.getElementById(location.hash.slice(1));
          if (rule !== null && rule.hidden) { form.reset(); show(); rule.scrollIntoView(); }
        }
        form.addEventListener("input", show);
        addEventListener("hashchange", reveal);
        show(); reveal();
        </script>
        </html>

        """
}
