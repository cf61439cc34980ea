import Optimization
import PayloadJSON
import PushDispatch

/// A file of entries or of selections, as the library for apps takes it.
enum EntryFile {
    /// A delivery reply, an array of entries, or one entry.
    static func reply(_ path: String) throws(CommandError) -> DeliveryReply {
        let value = try json(path, limit: DeliveryReply.maximumBytes)
        let whole = value.object?["items"] == nil ? ["items": .array(value.array ?? [value])] : value
        do throws(OptimizationError) {
            let reply = try DeliveryReply.read(whole)
            show(reply.issues, path)
            return reply
        } catch {
            throw CommandError("\(path): \(PlainText.safe(error.detail))")
        }
    }

    /// The array of selections, or a reply of the profile service with one; nil for `null`, before the first reply.
    static func selections(_ path: String) throws(CommandError) -> [ExperienceSelection]? {
        let value = try json(path, limit: ProfileReply.maximumBytes)
        if value == .null { return nil }
        let list = value.object?["data"]?.object?["experiences"] ?? value.object?["experiences"] ?? value
        guard list.array != nil else {
            throw CommandError(
                "\(path): an array of selections or a reply of the profile service is expected, such as "
                    + #"[{"experienceId":"exp-1","variantIndex":1}]"#)
        }
        var issues: [ReadingIssue] = []
        let selections = ExperienceSelection.list(list, issues: &issues)
        show(issues, path)
        return selections
    }

    private static func json(_ path: String, limit: Int) throws(CommandError) -> PushDispatch.JSONValue {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: limit)
        }
        let limits = JSONLimits(maximumBytes: limit, maximumDepth: 64, maximumValues: 2_000_000)
        do throws(PushDispatch.JSONReadError) {
            return try PushDispatch.JSONReader.read(bytes, limits: limits)
        } catch {
            let place = LineIndex(bytes).location(of: error.offset)
            throw CommandError("\(path):\(place.line):\(place.column): the file has \(error)")
        }
    }

    private static func show(_ issues: [ReadingIssue], _ path: String) {
        for issue in issues { Output.standard.note("\(path): \(PlainText.safe(issue.description))") }
    }
}
