import Foundation
public import PushDispatch

extension Push {
    /// From a file: a payload as JSON, or an `.apns` file, whose key `Simulator Target Bundle` is no part of the
    /// payload.
    ///
    /// - Parameter path: Looked for beside the source file of the test, then in the current folder.
    /// - Throws: `PhoneError`, which names file, line and column.
    public init(file path: String, beside source: String = #filePath) throws {
        let beside = URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent(path).path
        guard
            let data = FileManager.default.contents(atPath: path.hasPrefix("/") ? path : beside)
                ?? FileManager.default.contents(atPath: path)
        else {
            throw PhoneError(
                .unreadableFile, "\(path) cannot be read, beside the test or in the current folder; check the path")
        }
        let value: JSONValue
        do throws(JSONReadError) {
            value = try JSONReader.read([UInt8](data), limits: .push)
        } catch {
            let lines = data.prefix(error.offset).split(separator: 0x0a, omittingEmptySubsequences: false)
            let place = "\(path):\(max(1, lines.count)):\((lines.last?.count ?? 0) + 1)"
            throw PhoneError(.badPayload, "\(place): \(error)")
        }
        guard case .object(var members) = value else {
            throw PhoneError(.badPayload, "\(path):1:1: is \(value.kindInWords); a payload is a JSON object")
        }
        members["Simulator Target Bundle"] = nil
        self.init(bytes: JSONValue.object(members).compactBytes)
    }

    /// From values written in the test.
    public init(_ payload: [String: JSONValue]) { self.init(bytes: JSONValue.object(payload).compactBytes) }

    /// The payload as the system hands it to an app.
    public var userInfo: [AnyHashable: Any] {
        Dictionary(uniqueKeysWithValues: payload.map { (AnyHashable($0.key), $0.value.foundationValue) })
    }

    /// What keeps APNs from passing it on, with the figure.
    func checkForDelivery() throws {
        if let issue = issues.first {
            throw PhoneError(.badPayload, "no phone gets this payload, because APNs does not take it: \(issue)")
        }
        let bytes = json.count
        guard bytes <= Push.maximumBytes else {
            throw PhoneError(
                .badPayload, "the payload has \(bytes) bytes, and APNs takes \(Push.maximumBytes); leave something out")
        }
    }

    private static let maximumBytes = 4_096
}

extension JSONValue {
    fileprivate var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .number(let value): NSNumber(value: value)
        case .string(let text): text
        case .array(let elements): elements.map(\.foundationValue)
        case .object(let members): members.mapValues(\.foundationValue)
        }
    }
}
