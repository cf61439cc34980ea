import APNSModel
import APNSPayload
import ArgumentParser

/// The options that make an alert a personalized push.
struct PersonalizedOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Make the alert of --title, --body or --alert a personalized push, whose app fetches decisions when the user "
                + "opens it."))
    var personalized = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A personalization point to fetch, for --personalized; may be repeated (default: the app's landing point).",
            valueName: "name"))
    var point: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A text for the decision, for --personalized, such as category=Kettles; may be repeated.",
            valueName: "key=value"))
    var context: [String] = []

    @Option(help: ArgumentHelp("Where the app goes at once, for --personalized; a URL with https.", valueName: "url"))
    var link: String?

    /// - Returns: Nil without `--personalized`.
    /// - Throws: `ValidationError` about an option that needs it, and a context that is not `KEY=VALUE`.
    func arguments() throws -> PersonalizedArguments? {
        guard personalized else {
            let given = [
                point.isEmpty ? nil : "--point", context.isEmpty ? nil : "--context", link.map { _ in "--link" },
            ]
            if let option = given.compactMap(\.self).first {
                throw ValidationError("\(option) needs --personalized.")
            }
            return nil
        }
        var values: [String: PayloadValue] = [:]
        for text in context {
            guard let equals = text.firstIndex(of: "=") else {
                throw ValidationError(
                    "--context: \"\(PlainText.safe(ShownText.cut(text, to: 80)))\" must have the form KEY=VALUE, such as "
                        + "category=Kettles.")
            }
            let key = String(text[..<equals])
            guard values.updateValue(.string(String(text[text.index(after: equals)...])), forKey: key) == nil else {
                throw ValidationError(
                    "--context: the key \"\(PlainText.safe(ShownText.cut(key, to: 80)))\" is there twice.")
            }
        }
        return PersonalizedArguments(points: point, context: values, link: link)
    }
}

/// What `--personalized` adds to an alert.
struct PersonalizedArguments: Hashable, Sendable {
    var points: [String] = []
    var context: [String: PayloadValue] = [:]
    var link: String?

    func push(_ content: AlertPush) throws(CommandError) -> PersonalizedPush {
        do throws(PersonalizedPushError) {
            return try PersonalizedPush(content, points: points, context: context, link: link)
        } catch {
            throw CommandError(PlainText.safe(ShownText.cut("--personalized: \(error)", to: 300)), .badArguments)
        }
    }

    /// All values, to compare two runs.
    var fingerprint: String {
        let pairs = context.sorted { $0.key < $1.key }.map {
            "\($0.key)=\(String(decoding: $0.value.encoded(), as: UTF8.self))"
        }
        return (["personalized"] + points + pairs + [link ?? "-"]).joined(separator: "\n")
    }
}
