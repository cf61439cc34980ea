public import Foundation

/// The payload of one push, whole: custom keys stand beside `aps` and all of them are kept.
///
/// What cannot be read leaves the payload empty and says so in `issues`; a push is a hint, and a bad one is ignored.
public struct Push: Hashable, Sendable {
    public let payload: [String: JSONValue]
    public let issues: [PushIssue]

    /// From what the system hands the app: `userInfo` of the callback or of the notification's content.
    public init(userInfo: [AnyHashable: Any]) {
        var reader = UserInfoReader(limits: .push)
        do throws(JSONReadError) {
            payload = try reader.members(of: userInfo)
            issues = reader.issues
        } catch {
            payload = [:]
            issues = reader.issues + [Push.issue(error)]
        }
    }

    /// From the bytes on the wire.
    public init(json: Data) { self.init(bytes: [UInt8](json)) }

    package init(bytes: [UInt8]) {
        do throws(JSONReadError) {
            guard case .object(let members) = try JSONReader.read(bytes, limits: .push) else {
                payload = [:]
                issues = [PushIssue(.notJSON, at: "", "a payload is a JSON object")]
                return
            }
            payload = members
            issues = []
        } catch {
            payload = [:]
            issues = [Push.issue(error)]
        }
    }

    init(payload: [String: JSONValue], issues: [PushIssue]) {
        self.payload = payload
        self.issues = issues
    }

    private static func issue(_ fault: JSONReadError) -> PushIssue {
        switch fault.problem {
        case .malformed: PushIssue(.notJSON, at: "", fault.description)
        case .tooManyBytes, .tooDeep, .tooManyValues: PushIssue(.tooLarge, at: "", fault.description)
        }
    }

    /// A payload without `aps` is legal and has no such facts.
    public var aps: APS { APS(payload["aps"]?.object ?? [:]) }

    public subscript(key: String) -> JSONValue? { payload[key] }

    /// Compact JSON of the payload, keys sorted.
    public var json: Data { Data(JSONValue.object(payload).compactBytes) }
}
