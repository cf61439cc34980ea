import PushDispatch
import SelectiveSync

/// A query inside a condition, which gives the values of one field.
struct SOQLSelection: Hashable, Sendable {
    let object: String
    let field: String
    let condition: SOQLCondition?
}

/// The condition after WHERE.
indirect enum SOQLCondition: Hashable, Sendable {
    case all([SOQLCondition])
    case any([SOQLCondition])
    case not(SOQLCondition)
    case compare(field: String, SOQLOperator, SOQLValue)
    case like(field: String, SOQLPattern)
    case among(field: String, Set<SOQLValue>)
    /// `IN (SELECT …)`
    case selected(field: String, SOQLSelection)

    /// - Parameter related: Finds a record that a field refers to.
    func holds(for record: OrgRecord, _ related: (RecordID) -> OrgRecord?) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(for: record, related) }
        case .any(let parts): parts.contains { $0.holds(for: record, related) }
        case .not(let part): !part.holds(for: record, related)
        case .compare(let field, let operation, let value):
            operation.holds(SOQLValue(field, of: record, related), value)
        case .like(let field, let pattern):
            if case .text(let text) = SOQLValue(field, of: record, related) { pattern.matches(text) } else { false }
        case .among(let field, let values): values.contains(SOQLValue(field, of: record, related))
        // Replaced before, by `resolved`.
        case .selected: false
        }
    }

    /// Replaces the inner queries by their values.
    ///
    /// - Parameter records: The records of an object that the user may see.
    func resolved(
        _ records: (String) -> [OrgRecord], _ related: (RecordID) -> OrgRecord?
    ) -> SOQLCondition {
        switch self {
        case .all(let parts): return .all(parts.map { $0.resolved(records, related) })
        case .any(let parts): return .any(parts.map { $0.resolved(records, related) })
        case .not(let part): return .not(part.resolved(records, related))
        case .compare, .like, .among: return self
        case .selected(let field, let selection):
            let condition = selection.condition?.resolved(records, related)
            let found = records(selection.object).filter { condition?.holds(for: $0, related) ?? true }
            let values = Set(found.map { SOQLValue(selection.field, of: $0, related) })
            return .among(field: field, values.subtracting([.null]))
        }
    }

    /// Whether an inner query is under OR or NOT, which the platform refuses.
    func hasMisplacedSelection(_ isMisplaced: Bool = false) -> Bool {
        switch self {
        case .all(let parts): parts.contains { $0.hasMisplacedSelection(isMisplaced) }
        case .any(let parts): parts.contains { $0.hasMisplacedSelection(true) }
        // NOT IN is written as the negation of one.
        case .not(.selected): isMisplaced
        case .not(let part): part.hasMisplacedSelection(true)
        case .compare, .like, .among: false
        case .selected: isMisplaced
        }
    }
}

enum SOQLOperator: String, Hashable, Sendable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds(_ left: SOQLValue, _ right: SOQLValue) -> Bool {
        if case .span(let first, let end) = right {
            guard case .date(let date) = left else { return self == .unequal }
            switch self {
            case .equal: return date >= first && date < end
            case .unequal: return date < first || date >= end
            case .less: return date < first
            case .lessOrEqual: return date < end
            case .greater: return date >= end
            case .greaterOrEqual: return date >= first
            }
        }
        switch self {
        case .equal: return left == right
        case .unequal: return left != right
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // A field without a value is neither less nor greater than any value.
            guard let isLess = left.isLess(than: right), let isGreater = right.isLess(than: left) else { return false }
            switch self {
            case .less: return isLess
            case .lessOrEqual: return !isGreater
            case .greater: return isGreater
            default: return !isLess
            }
        }
    }
}
