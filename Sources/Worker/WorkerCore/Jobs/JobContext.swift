import APNSModel
import PayloadJSON

/// What a worker writes beside a job that comes back: `JobContent.context` as a value.
package struct JobContext: Hashable, Sendable {
    /// One attempt and what became of it.
    package struct Event: Hashable, Sendable {
        /// By the engine's clock, in milliseconds since 1970.
        package var at: Int64
        package var reason: String

        package init(at: Int64, reason: String) {
            self.at = at
            self.reason = reason
        }
    }

    /// The `apns-id` of each line, in their order; the empty text where it has none. Empty for a job from a producer.
    package var ids: [String]
    /// When the job was first enqueued, by the engine's clock, in milliseconds since 1970. Nil for a job from a producer.
    package var first: Int64?
    /// From when its age counts, in the same way; nil where that is `first`.
    package var since: Int64?
    /// Whether it is in the dead letter. One that comes from there was retried, and its age counts from then on.
    package var isDead = false
    /// How often each of its pushes failed by the connection or the credentials while others got answers.
    package var failures: Int
    /// The newest `maximumEvents` attempts, oldest first.
    package var history: [Event]

    package static let maximumEvents = 20

    package init(ids: [String] = [], first: Int64? = nil, failures: Int = 0, history: [Event] = []) {
        self.ids = ids
        self.first = first
        self.failures = failures
        self.history = history
    }

    /// Reads what `text` wrote. Anything else is the context of a job from a producer: it may come from a stranger.
    package init(_ text: String?) {
        self.init()
        guard let text else { return }
        var reader = JSONReader()
        guard (try? reader.parse(Array(text.utf8))) != nil else { return }
        let document = reader.document
        if let ids = document.member("ids", of: .root) {
            // They become header fields, so nothing but a UUID may pass.
            self.ids = document.elements(of: ids).map { id in
                document.string(of: id).flatMap { NotificationID(checking: $0) }?.text ?? ""
            }
        }
        let first = document.member("first", of: .root).flatMap { document.integer(of: $0) }
        if let first, first >= 0 { self.first = first }
        let since = document.member("since", of: .root).flatMap { document.integer(of: $0) }
        if let since, since >= 0 { self.since = since }
        isDead = document.member("dead", of: .root).map { document.kind(of: $0) } == .true
        let failures = document.member("failures", of: .root).flatMap { document.integer(of: $0) } ?? 0
        if (0...1_000_000).contains(failures) { self.failures = Int(failures) }
        guard let events = document.member("history", of: .root) else { return }
        for element in document.elements(of: events).suffix(JobContext.maximumEvents) {
            guard let at = document.member("at", of: element).flatMap({ document.integer(of: $0) }),
                let reason = document.member("reason", of: element).flatMap({ document.string(of: $0) })
            else { continue }
            history.append(Event(at: at, reason: reason))
        }
    }

    /// The `apns-id` of a line.
    ///
    /// - Parameter derived: Gives it where the context has none.
    package func id(of line: Int, or derived: DerivedID) -> String {
        line < ids.count && !ids[line].isEmpty ? ids[line] : derived.text(line: line)
    }

    package func adding(_ event: Event?) -> JobContext {
        guard let event else { return self }
        var context = self
        context.history = Array((history + [event]).suffix(JobContext.maximumEvents))
        return context
    }

    package var text: String {
        let object = JSONText.object { object in
            if !ids.isEmpty { object.add("ids", strings: ids) }
            if let first { object.add("first", first) }
            if let since { object.add("since", since) }
            if isDead { object.add("dead", true) }
            if failures > 0 { object.add("failures", failures) }
            guard !history.isEmpty else { return }
            let events = history.map { event in
                JSONText.object { text in
                    text.add("at", event.at)
                    text.add("reason", event.reason)
                }
            }
            object.add("history", .array(events))
        }
        return String(decoding: object.bytes, as: UTF8.self)
    }
}
