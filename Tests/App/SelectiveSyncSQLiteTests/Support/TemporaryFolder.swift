import Foundation
import PushDispatch
import SelectiveSync

/// A folder that is deleted with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension RecordID {
    static func test(_ number: Int) -> RecordID {
        let digits = String(number)
        return RecordID("001xx" + String(repeating: "0", count: 10 - digits.count) + digits)!
    }
}

extension ServerRecord {
    static func test(_ number: Int, name: String = "A", at stamp: Int64? = nil) -> ServerRecord {
        var fields: [String: JSONValue] = ["Id": .string(RecordID.test(number).description), "Name": .string(name)]
        fields["SystemModstamp"] = stamp.map { .string(ServerDate(millisecondsSince1970: $0).description) }
        return ServerRecord(id: .test(number), fields: fields)
    }
}
