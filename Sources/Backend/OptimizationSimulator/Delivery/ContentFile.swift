import APNSModel
import PayloadJSON
import PushDispatch

/// A file of entries: a delivery reply, an array, or one entry. Entries that stand in place of links become entries of
/// their own, and the places become links again.
package struct ContentFile: Sendable {
    /// Those of the file itself before those that stood in them.
    package private(set) var entries: [ContentEntry] = []

    /// Why a file is not taken.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        package let line: Int
        package let column: Int
        package let description: String
    }

    private static let limits = JSONLimits(
        maximumBytes: OptimizationLimits.file, maximumDepth: 64, maximumValues: 2_000_000)

    package init(_ bytes: [UInt8]) throws(Fault) {
        let value: JSONValue
        do throws(PushDispatch.JSONReadError) {
            value = try PushDispatch.JSONReader.read(bytes, limits: ContentFile.limits)
        } catch {
            throw ContentFile.fault("the file is \(error)", at: error.offset, bytes)
        }
        // The tree has no places, so the elements are found again in a document that has them.
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes, maximumDepth: 64)
        } catch {
            throw ContentFile.fault(error.description, at: error.offset, bytes)
        }
        var inner: [ContentEntry] = []
        func take(_ elements: [JSONValue], _ list: JSONIndex) throws(Fault) {
            var places = document.elements(of: list)
            for element in elements {
                let place = places.next() ?? list
                // A page of links says nothing of itself.
                if element.link != nil { continue }
                guard let entry = ContentFile.entry(element, &inner) else {
                    throw ContentFile.fault(
                        "an element is \(element.kindInWords) where an entry with sys.id is expected",
                        at: document.range(of: place).lowerBound, bytes)
                }
                entries.append(entry)
            }
        }
        if let elements = value.array {
            try take(elements, .root)
        } else if let list = document.member("items", of: .root), let items = value.object?["items"]?.array {
            try take(items, list)
            for kind in ["Entry", "Asset"] {
                guard let includes = document.member("includes", of: .root),
                    let list = document.member(named: kind, of: includes),
                    let elements = value.object?["includes"]?.object?[kind]?.array
                else { continue }
                try take(elements, list)
            }
        } else if let entry = ContentFile.entry(value, &inner) {
            entries = [entry]
        } else {
            throw ContentFile.fault(
                "the file is \(value.kindInWords) where a delivery reply with items, an array of entries, or one entry with "
                    + "sys.id is expected", at: document.range(of: .root).lowerBound, bytes)
        }
        entries += inner
    }

    private static func fault(_ message: String, at offset: Int, _ bytes: [UInt8]) -> Fault {
        let place = LineIndex(bytes).location(of: offset)
        return Fault(line: place.line, column: place.column, description: message)
    }

    /// Nil for a value that is not an entry or asset with an id.
    private static func entry(_ value: JSONValue, _ inner: inout [ContentEntry]) -> ContentEntry? {
        guard let members = value.object, var sys = members["sys"]?.object, let id = sys["id"]?.string, !id.isEmpty,
            value.link == nil
        else { return nil }
        if sys["type"]?.string == nil { sys["type"] = "Entry" }
        let fields = (members["fields"]?.object ?? [:]).mapValues { replaced($0, &inner) }
        return ContentEntry(id: id, sys: sys, fields: fields)
    }

    /// The value with links in place of entries.
    private static func replaced(_ value: JSONValue, _ inner: inout [ContentEntry]) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { replaced($0, &inner) })
        case .object(let members):
            let type = members["sys"]?.object?["type"]?.string
            if type == "Entry" || type == "Asset", members["fields"] != nil, let entry = entry(value, &inner) {
                inner.append(entry)
                return ["sys": ["type": "Link", "linkType": .string(entry.type), "id": .string(entry.id)]]
            }
            return .object(members.mapValues { replaced($0, &inner) })
        default: return value
        }
    }
}
