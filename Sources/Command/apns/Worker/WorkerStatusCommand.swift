import ArgumentParser
import PayloadJSON
import PushQueue

/// `apns worker status`: what the queue holds.
struct WorkerStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what the queue holds.",
        discussion: """
            The backlog is what no worker has reserved; pending is what one has reserved and not settled. Both count jobs, \
            which have 1 to 100 envelopes each. A lane that has jobs and that no worker has read in the last five \
            minutes is a warning: its name may be misspelt, or no worker has it in --lane.

            EXAMPLE
              apns worker status --queue redis://127.0.0.1:6379/0

            EXIT STATUS: 0 done; 2 the queue cannot be had; 64 bad arguments.

            \(QueueOptions.environmentHelp)
            """)

    @OptionGroup var queue: QueueOptions
    @Flag(help: "Print one line of JSON.")
    var json = false

    func run() async throws {
        var status = try await queue.with { queue throws(QueueError) in try await queue.status() }
        status.warnings += status.unreadLanes
        if json {
            Output.standard.result(StatusText.json(status))
        } else {
            for line in StatusText.lines(status) { Output.standard.result(line) }
        }
        for warning in status.warnings { Output.standard.note("Warning: \(warning)") }
    }
}

/// The status of a queue as text.
enum StatusText {
    static func json(_ status: QueueStatus) -> String {
        let object = JSONText.object { object in
            object.add("backlog", status.backlog)
            object.add("pending", status.pending)
            object.add("later", status.later)
            object.add("dead", status.dead)
            object.add("oldest-seconds", seconds(status.oldest ?? .zero))
            object.add("feedback", status.feedback)
            object.add("engine", status.engine)
            object.add(
                "lanes",
                .array(
                    status.lanes.map { lane in
                        JSONText.object { text in
                            text.add("lane", lane.name.text)
                            text.add("backlog", lane.backlog)
                            text.add("pending", lane.pending)
                            text.add("oldest-seconds", seconds(lane.oldest ?? .zero))
                        }
                    }))
            object.add(
                "workers",
                .array(
                    status.consumers.map { worker in
                        JSONText.object { text in
                            text.add("name", worker.name.text)
                            text.add("pending", worker.pending)
                            text.add("idle-seconds", seconds(worker.idle))
                        }
                    }))
            object.add("warnings", strings: status.warnings)
        }
        return String(decoding: object.bytes, as: UTF8.self)
    }

    static func lines(_ status: QueueStatus) -> [String] {
        var lines = ["\(PlainText.safe(status.engine))"]
        let width = max(8, status.lanes.map(\.name.text.count).max() ?? 0)
        lines.append(pad("lane", width) + right("backlog", 10) + right("pending", 10) + "  oldest")
        for lane in status.lanes {
            let age = lane.oldest.map { DurationText.short($0) } ?? "-"
            lines.append(
                pad(lane.name.text, width) + right("\(lane.backlog)", 10) + right("\(lane.pending)", 10) + "  \(age)")
        }
        lines.append("later \(status.later), dead \(status.dead), feedback \(status.feedback)")
        for worker in status.consumers {
            lines.append(
                "worker \(PlainText.safe(worker.name.text)): \(worker.pending) pending, idle "
                    + DurationText.short(worker.idle))
        }
        return lines
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }

    /// With three digits behind the point.
    static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000
    }
}
