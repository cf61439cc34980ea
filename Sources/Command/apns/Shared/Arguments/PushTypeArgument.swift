import APNSModel
import APNSPayload
import ArgumentParser

/// A push type on the command line.
struct PushTypeArgument: ExpressibleByArgument, Hashable {
    let value: PushType

    /// Takes any text; `check` refuses. For an initializer that fails, ArgumentParser prints the text as it is, and no reason.
    init(argument: String) { value = PushType(rawValue: argument) }

    static let allowanceHelp: ArgumentHelp =
        "Accept push types that this version does not know. One that looks like a misspelt known push type stays an error."

    /// - Parameter allowsNew: Whether `--allow-new-push-types` is given; nil for a command without it.
    /// - Throws: `ValidationError` for an unknown push type, with the nearest known one, and for one that no header can have.
    func check(allowsNew: Bool? = nil) throws {
        guard !value.isKnown else { return }
        let text = value.rawValue
        let shown = "--push-type: \"\(PlainText.safe(ShownText.cut(text, to: 60)))\""
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw ValidationError("\(shown) cannot be in a header, which takes printable ASCII characters only.")
        }
        if allowsNew == true, PushType.isPossiblyNew(text) { return }
        var advice =
            PushType.meant(by: text).map { "did you mean \($0)?" }
            ?? "it must be one of \(PushType.known.map(\.rawValue).joined(separator: ", "))."
        if allowsNew == false, PushType.isPossiblyNew(text) {
            advice += " For a new one, give --allow-new-push-types."
        }
        throw ValidationError("\(shown) is not a push type; \(advice)")
    }
}
