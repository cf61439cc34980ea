import Foundation
import PushDispatch

extension ContentEntry {
    /// Takes an entry from a library that gives dictionaries.
    ///
    /// What JSON does not have, such as a date, is left out and named in `issues`.
    ///
    /// - Throws: `OptimizationError` with the code `invalidValue` for a dictionary that is too deep or too large.
    public init(dictionary: [String: Any], issues: inout [ReadingIssue]) throws(OptimizationError) {
        members = try JSONDictionary.read(dictionary, issues: &issues)
    }

    /// The same; what JSON does not have is left out.
    public init(dictionary: [String: Any]) throws(OptimizationError) {
        var issues: [ReadingIssue] = []
        try self.init(dictionary: dictionary, issues: &issues)
    }

    /// The entry as a dictionary of strings, numbers, Booleans, arrays, dictionaries and `NSNull`.
    public var dictionary: [String: Any] { members.mapValues(JSONDictionary.plain) }
}

/// Turns dictionaries into JSON values and back.
enum JSONDictionary {
    /// As for a reply of the delivery service.
    static let limits = JSONLimits(
        maximumBytes: DeliveryReply.maximumBytes, maximumDepth: LinkReplacer.maximumHeight, maximumValues: 4_000_000)

    static func read(
        _ dictionary: [String: Any], issues: inout [ReadingIssue]
    ) throws(OptimizationError) -> [String: JSONValue] {
        var reader = UserInfoReader(limits: limits)
        do throws(JSONReadError) {
            let members = try reader.members(of: dictionary)
            issues += reader.issues.prefix(IssueList.maximum).map { ReadingIssue($0.pointer, $0.detail) }
            return members
        } catch {
            throw OptimizationError(
                .invalidValue, "the dictionary cannot be used: it has \(error); pass a smaller one")
        }
    }

    static func plain(_ value: JSONValue) -> Any {
        switch value {
        case .null: NSNull()
        case .bool(let flag): flag
        case .integer(let number): Int(exactly: number) ?? Double(number)
        case .number(let number): number
        case .string(let text): text
        case .array(let elements): elements.map(plain)
        case .object(let members): members.mapValues(plain)
        }
    }
}
