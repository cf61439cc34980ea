import PushDispatch
import SelectiveSync

/// A value of a field or a literal, in a form that can be compared.
enum SOQLValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    /// In lower case, because queries ignore case.
    case text(String)
    case id(RecordID)
    case date(ServerDate)
    /// A range of dates such as TODAY, without its end.
    case span(ServerDate, ServerDate)

    init(_ field: String, of record: OrgRecord) {
        if let date = record.date(of: field) {
            self = .date(date)
            return
        }
        switch field {
        case "Id": self = .id(record.id)
        case "OwnerId": self = .id(record.owner)
        case "LastModifiedById": self = .id(record.lastModifiedBy)
        case "CreatedById": self = .id(record.createdBy)
        default: self = SOQLValue(record.value(of: field), isID: SOQLValue.isID(field))
        }
    }

    /// The value of a field, or of one at the end of a path such as `AccountId.OwnerId`.
    init(_ path: String, of record: OrgRecord, _ related: (RecordID) -> OrgRecord?) {
        guard let dot = path.firstIndex(of: ".") else {
            self.init(path, of: record)
            return
        }
        let reference = record.value(of: String(path[..<dot])).string.flatMap { RecordID($0) }
        if let other = reference.flatMap(related) {
            self.init(String(path[path.index(after: dot)...]), of: other, related)
        } else {
            self = .null
        }
    }

    init(_ value: JSONValue, isID: Bool) {
        switch value {
        case .null, .array, .object: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number(Double(value))
        case .number(let value): self = .number(value)
        case .string(let text):
            if isID, let id = RecordID(text) {
                self = .id(id)
            } else {
                self = .text(text.lowercased())
            }
        }
    }

    /// Whether the values of the field are record ids.
    static func isID(_ field: String) -> Bool { field.hasSuffix("Id") }

    /// Whether the field holds dates, which a query writes without quotes.
    static func isDate(_ field: String) -> Bool {
        ["LastModifiedDate", "SystemModstamp", "CreatedDate"].contains(
            field.split(separator: ".").last.map(String.init))
    }

    /// Nil if the values have no order.
    func isLess(than other: SOQLValue) -> Bool? {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.id(let left), .id(let right)): left.description < right.description
        case (.bool(let left), .bool(let right)): !left && right
        default: nil
        }
    }
}
