import APNSModel
import PayloadJSON
import PushQueue
import WorkerCore

/// A kept job as text.
enum KeptText {
    /// A line of JSON for each envelope.
    static func json(_ job: KeptJob) -> [String] {
        let body = job.content.body
        let context = JobContext(job.content.context)
        let ranges = JobReader.lineRanges(body)
        return (ranges.isEmpty ? [0..<body.count] : ranges).enumerated().map { number, range in
            let object = JSONText.object { object in
                object.add("id", job.id)
                object.add("lane", job.content.lane.text)
                object.addOrNull("tenant", job.content.tenant)
                object.add("reason", job.reason)
                object.add("why", job.why)
                object.add("attempts", job.content.attempt)
                if let due = job.due { object.add("due", TimeText.text(due)) }
                object.add("since", TimeText.text(job.keptAt))
                if number < context.ids.count, !context.ids[number].isEmpty {
                    object.add("apns-id", context.ids[number])
                }
                object.add(
                    "history",
                    .array(
                        context.history.map { event in
                            JSONText.object { text in
                                text.add("at", TimeText.text(event.at))
                                text.add("reason", event.reason)
                            }
                        }))
                object.add("job", String(decoding: body[range], as: UTF8.self))
            }
            return String(decoding: object.bytes, as: UTF8.self)
        }
    }

    /// One line for people, without a device token.
    static func line(_ job: KeptJob) -> String {
        let count = JobReader.lineRanges(job.content.body).count
        let tenant = job.content.tenant.map { ", tenant \($0)" } ?? ""
        let due = job.due.map { ", due \(UTCText.text($0 / 1000))" } ?? ""
        let why = job.why.isEmpty ? "" : ": \(job.why)"
        return PlainText.safe(
            "\(job.id)  \(job.reason)\(due)  \(count) \(count == 1 ? "envelope" : "envelopes"), lane "
                + "\(job.content.lane)\(tenant), \(job.content.attempt) attempts\(why)")
    }
}
