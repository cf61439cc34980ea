import Foundation
public import PushDispatch

extension Push {
    /// Reads a file with a payload as JSON, or an `.apns` file, whose key `Simulator Target Bundle` is left out.
    ///
    /// - Parameter path: Relative to the source file of the test, or else to the current folder.
    /// - Throws: `PhoneError`, which names the file, and line and column of a syntax error.
    public init(file path: String, beside source: String = #filePath) throws {
        let beside = URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent(path).path
        guard
            let data = FileManager.default.contents(atPath: path.hasPrefix("/") ? path : beside)
                ?? FileManager.default.contents(atPath: path)
        else {
            throw PhoneError(
                .unreadableFile, "\(path) can be read neither beside the test nor in the current folder; check the path"
            )
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
            throw PhoneError(.badPayload, "\(path):1:1: is \(value.kindInWords); a payload has to be a JSON object")
        }
        members["Simulator Target Bundle"] = nil
        self.init(bytes: JSONValue.object(members).compactBytes)
    }

    /// A push with these values.
    public init(_ payload: [String: JSONValue]) { self.init(bytes: JSONValue.object(payload).compactBytes) }

    /// The payload as the system passes it to an app.
    public var userInfo: [AnyHashable: Any] {
        Dictionary(uniqueKeysWithValues: payload.map { (AnyHashable($0.key), $0.value.foundationValue) })
    }

    /// Throws `PhoneError` for a payload that APNs does not accept.
    func checkForDelivery() throws {
        if let issue = issues.first {
            throw PhoneError(.badPayload, "APNs does not accept this payload: \(issue)")
        }
        let bytes = json.count
        guard bytes <= Push.maximumBytes else {
            throw PhoneError(
                .badPayload, "the payload has \(bytes) bytes, and APNs accepts \(Push.maximumBytes); make it smaller")
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
