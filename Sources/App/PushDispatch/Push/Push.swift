public import Foundation

/// The payload of one push, with `aps` and all custom keys.
///
/// A payload that cannot be read is empty, with the reason in `issues`. A push is only a hint, so an invalid one is
/// ignored.
public struct Push: Hashable, Sendable {
    public let payload: [String: JSONValue]
    public let issues: [PushIssue]

    /// Reads the `userInfo` of a callback or of a notification's content.
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

    /// Reads a payload in JSON.
    public init(json: Data) { self.init(bytes: [UInt8](json)) }

    package init(bytes: [UInt8]) {
        do throws(JSONReadError) {
            guard case .object(let members) = try JSONReader.read(bytes, limits: .push) else {
                payload = [:]
                issues = [PushIssue(.notJSON, at: "", "a payload has to be a JSON object")]
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

    private static func issue(_ error: JSONReadError) -> PushIssue {
        switch error.problem {
        case .malformed: PushIssue(.notJSON, at: "", error.description)
        case .tooManyBytes, .tooDeep, .tooManyValues: PushIssue(.tooLarge, at: "", error.description)
        }
    }

    /// A payload without `aps` is valid; then nothing is set.
    public var aps: APS { APS(payload["aps"]?.object ?? [:]) }

    public subscript(key: String) -> JSONValue? { payload[key] }

    /// Compact JSON of the payload, keys sorted.
    public var json: Data { Data(JSONValue.object(payload).compactBytes) }
}
