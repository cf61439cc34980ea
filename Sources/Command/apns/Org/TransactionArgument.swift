import APNSModel
import ArgumentParser

/// `--transaction` of the subcommands that change records.
enum TransactionArgument {
    /// In milliseconds, as the org has it.
    private static let maximum: Int64 = 86_400_000

    /// - Throws: If it is not a duration up to 24h. Nil is allowed.
    static func check(_ text: String?) throws {
        guard let text else { return }
        guard let duration = TimeText.milliseconds(ofDuration: text), (0...maximum).contains(duration) else {
            throw ValidationError("--transaction \(PlainText.safe(text)): it takes a duration up to 24h, such as 10m")
        }
    }
}
