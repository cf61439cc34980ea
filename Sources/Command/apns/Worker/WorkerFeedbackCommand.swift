import ArgumentParser
import PayloadJSON
import PushQueue

/// `apns worker feedback`: the device tokens that APNs refused for good.
struct WorkerFeedbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback",
        abstract: "Lists the device tokens that APNs refused.",
        discussion: """
            A line with "suspect" false is a device token that is dead since its timestamp, in milliseconds since 1970. A \
            registration of the same device token that is newer than the timestamp stays: the app reported it again after \
            that. A line with "suspect" true is of BadDeviceToken or DeviceTokenNotForTopic; where there are many, the \
            environment or the topic of the tenant is wrong, and no device token is.

            With --take the lines are removed from the queue when they were printed. They have the whole device token then; \
            without --take and --json it is shortened.

            EXAMPLE
              apns worker feedback --queue redis://127.0.0.1:6379/0 --json --take

            EXIT STATUS: 0 done; 2 the queue cannot be had; 64 bad arguments.

            \(QueueOptions.environmentHelp)
            """)

    @OptionGroup var queue: QueueOptions
    @Flag(help: "Remove what was printed.")
    var take = false
    @Flag(help: "Print each as a line of JSON.")
    var json = false

    func run() async throws {
        let output = Output.standard
        let (take, json) = (take, json)
        let count = try await queue.with { queue throws(QueueError) in
            var (page, count) = (String?.none, 0)
            repeat {
                let part = try await queue.feedback(from: page, limit: 500)
                for entry in part.elements {
                    output.result(json ? entry.line : FeedbackText.line(entry.line, isWhole: take))
                }
                count += part.elements.count
                output.flush()
                // What could not be printed stays in the queue.
                guard !output.isBroken else { return count }
                if take, !part.elements.isEmpty { _ = try await queue.dropFeedback(part.elements.map(\.id)) }
                page = part.next
            } while page != nil
            return count
        }
        if !json, count == 0 { output.note("There is no feedback.") }
    }
}

/// A line of feedback for people.
enum FeedbackText {
    /// - Parameter isWhole: Whether the device token is not shortened.
    static func line(_ json: String, isWhole: Bool) -> String {
        var reader = JSONReader()
        guard (try? reader.parse(Array(json.utf8))) != nil else { return PlainText.safe(json) }
        let document = reader.document
        let text = { (key: String) in document.member(named: key, of: .root).flatMap { document.string(of: $0) } }
        let token = text("token") ?? ""
        let shown = isWhole || token.count <= 8 ? token : "\(token.prefix(4))…\(token.suffix(4))"
        let time = document.member("timestamp", of: .root).flatMap { document.integer(of: $0) }
        let since = time.map { " since \(UTCText.text($0 / 1000))" } ?? ""
        let suspect =
            document.member("suspect", of: .root).map { document.source(of: $0) } == "true" ? " (suspect)" : ""
        let tenant = text("tenant").map { ", tenant \($0)" } ?? ""
        return PlainText.safe(
            "\(shown)  \(text("reason") ?? "")\(since)\(suspect)  \(text("apns-topic") ?? ""), "
                + "\(text("environment") ?? "")\(tenant)")
    }
}
