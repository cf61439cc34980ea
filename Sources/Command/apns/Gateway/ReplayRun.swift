import GatewayConfiguration
import GatewayJSON
import GatewayRuntime
import GatewayServer
import PayloadJSON

/// One run of `apns gateway --replay`: judges every line of a record again, and reports what differs.
struct ReplayRun {
    let path: String
    let isJSON: Bool
    let output: Output

    private struct Count {
        var same = 0
        var different = 0
        var leftOut = 0
        var unreadable = 0
    }

    func run(_ configuration: GatewayConfiguration) throws -> ExitStatus {
        var replay: Replay
        let lines: LineReader
        do throws(GatewayError) {
            replay = try Replay(configuration)
        } catch {
            throw CommandError(error.detail)
        }
        do throws(FileError) {
            lines = LineReader(try InputFile(path: path))
        } catch {
            throw CommandError(error.description)
        }
        var count = Count()
        do throws(FileError) {
            while let line = try lines.next() {
                guard let bytes = line.bytes else {
                    count.unreadable += 1
                    output.note("\(lines.name):\(line.number): the line is too long to be of a record")
                    continue
                }
                guard !bytes.isEmpty else { continue }
                report(replay.judge(bytes), line.number, lines.name, &count)
            }
        } catch {
            throw CommandError(error.description)
        }
        output.flush()
        output.note(summary(count, lines.name))
        if count.unreadable > 0 || count.same + count.different + count.leftOut == 0 { return .failed }
        return count.different == 0 ? .done : .no
    }

    private func report(_ result: Replay.Result, _ number: Int, _ name: String, _ count: inout Count) {
        switch result {
        case .judged(let differences):
            if differences.isEmpty { count.same += 1 } else { count.different += 1 }
            for difference in differences { show(difference, number, name) }
        case .leftOut: count.leftOut += 1
        case .unreadable(let why):
            count.unreadable += 1
            output.note("\(name):\(number): \(PlainText.safe(why))")
        }
    }

    private func show(_ difference: ReplayDifference, _ number: Int, _ name: String) {
        guard isJSON else {
            return output.result(
                "\(name):\(number): \(difference.field): recorded \(PlainText.safe(difference.recorded)), now "
                    + PlainText.safe(difference.now))
        }
        output.result(
            "{\"file\":\(JSONWriter.quoted(name)),\"line\":\(number),\"field\":\"\(difference.field)\",\"recorded\":"
                + "\(JSONWriter.quoted(difference.recorded)),\"now\":\(JSONWriter.quoted(difference.now))}")
    }

    private func summary(_ count: Count, _ name: String) -> String {
        guard count.same + count.different + count.leftOut + count.unreadable > 0 else {
            return "\(name) has no recorded notification."
        }
        var text = "\(count.same + count.different) judged again: \(count.same) the same, \(count.different) different"
        if count.leftOut > 0 {
            text += "; \(count.leftOut) left out, because the record does not have what decided them"
        }
        if count.unreadable > 0 { text += "; \(count.unreadable) are not lines of a record" }
        return text
    }
}
