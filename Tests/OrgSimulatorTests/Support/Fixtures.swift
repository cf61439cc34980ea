import OrgSimulator
import PushDispatch
import SelectiveSync

extension RecordID {
    /// A made-up user.
    static func user(_ number: Int) -> RecordID { RecordID("005xx000000000\(number)")! }
}

extension ServerDate {
    static let start = ServerDate("2026-05-20T20:49:32.000+0000")!

    func after(seconds: Int64) -> ServerDate {
        ServerDate(millisecondsSince1970: millisecondsSince1970 + seconds * 1_000)
    }
}

extension OutgoingPush {
    var text: String { String(decoding: payload, as: UTF8.self) }
}

extension OrgResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

struct TestError: Error {}
