import GatewayCore
import GatewayJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SavedWorld {
    init(json: [UInt8]) throws(Problem) {
        do {
            self = try JSONDecoder().decode(SavedWorld.self, from: Data(json))
        } catch DecodingError.keyNotFound(let key, let context) {
            throw SavedWorld.problem("lacks \"\(key.stringValue)\"", context.codingPath)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw SavedWorld.problem("is of another kind than in an export", context.codingPath)
        } catch DecodingError.dataCorrupted(let context) {
            throw SavedWorld.problem("has a value that no export has", context.codingPath)
        } catch {
            throw .badRequest("\"state\" cannot be read; import the file as it was exported", pointer: "/state")
        }
    }

    private static func problem(_ what: String, _ path: [any CodingKey]) -> Problem {
        let pointer = path.map { "/" + ($0.intValue.map { "\($0)" } ?? $0.stringValue) }.joined()
        let place = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return .badRequest(
            "\"state\(place)\" \(what); import the file as it was exported", pointer: "/state" + pointer)
    }

    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // It has only strings, numbers and lists of them, which can always be encoded.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }
}
