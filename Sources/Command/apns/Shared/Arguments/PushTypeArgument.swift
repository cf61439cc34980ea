import APNSModel
import APNSPayload
import ArgumentParser

/// A push type on the command line.
struct PushTypeArgument: ExpressibleByArgument, Hashable {
    let value: PushType

    /// Fails for a text that no header can have.
    init?(argument: String) {
        guard argument.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        value = PushType(rawValue: argument)
    }

    static let allowanceHelp: ArgumentHelp =
        "Allow push types that this version does not know, such as one that Apple has added."

    /// - Throws: `ValidationError` for an unknown push type, with the nearest known one.
    func check(allowsNew: Bool) throws {
        guard !value.isKnown else { return }
        let advice =
            PushType.meant(by: value.rawValue).map { "did you mean \($0)?" }
            ?? "it must be one of \(PushType.known.map(\.rawValue).joined(separator: ", "))"
        guard allowsNew, !value.rawValue.isEmpty, !value.rawValue.contains(" ") else {
            throw ValidationError(
                "--push-type: \"\(PlainText.safe(value.rawValue))\" is not a push type; \(advice) "
                    + "For a new one, give --allow-new-push-types.")
        }
    }
}
