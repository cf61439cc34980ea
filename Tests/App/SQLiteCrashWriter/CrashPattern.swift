import PushDispatch
import SelectiveSync

/// The records that a turn of the crash writer writes. The tests have a link to this file.
enum CrashPattern {
    static let count = 20

    static func pushed(_ number: Int) -> RecordID { id("001xx", number) }
    static func paged(_ number: Int) -> RecordID { id("001yy", number) }

    private static func id(_ prefix: String, _ number: Int) -> RecordID {
        let digits = String(number)
        return RecordID(prefix + String(repeating: "0", count: 10 - digits.count) + digits)!
    }

    static func record(_ id: RecordID, _ turn: Int64) -> ServerRecord {
        ServerRecord(
            id: id,
            fields: [
                "Id": .string(id.description), "Turn": .integer(turn),
                "SystemModstamp": .string(ServerDate(millisecondsSince1970: turn).description),
            ])
    }
}

extension JSONValue {
    var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }
}
