import Foundation
import GatewayCore

/// Encodes and decodes the JSON documents of rows.
final class StoreDocuments {
    private let encoder: JSONEncoder
    private let decoder = JSONDecoder()

    init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    func text(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }

    /// - Parameters:
    ///   - complete: Default values for what a document of an older version lacks; nil for none.
    ///   - place: Where the document is, for the message.
    func value<Value: Codable>(
        _ type: Value.Type, _ text: String, completedBy complete: Value? = nil, in place: String, _ path: String
    ) throws -> Value {
        let data = Data(text.utf8)
        do {
            return try decoder.decode(Value.self, from: data)
        } catch {
            guard let complete, let kept = try? decoder.decode(JSONValue.self, from: data),
                let value = try? decoder.decode(
                    Value.self, from: encoder.encode(try json(complete).overlaid(with: kept)))
            else { throw StoreError(damaged: path, "\(place) cannot be read") }
            return value
        }
    }

    func json(_ value: some Encodable) throws -> JSONValue {
        try decoder.decode(JSONValue.self, from: encoder.encode(value))
    }

    /// The settings for a run: the given ones, with the changes that were made during an earlier run.
    func settings(_ given: WorldSettings, changed: (start: WorldSettings, now: WorldSettings)) throws -> WorldSettings {
        let changes = try json(changed.now).difference(
            from: try json(changed.start), groups: ["budgets", "contested"])
        return try decoder.decode(
            WorldSettings.self, from: encoder.encode(try json(given).overlaid(with: changes)))
    }
}
