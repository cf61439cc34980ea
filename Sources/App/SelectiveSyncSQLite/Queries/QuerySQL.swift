import Foundation
import GRDB
import SelectiveSync

/// The statements of a query. Values are bound; names are those of a validated query.
struct QuerySQL {
    private let query: RecordQuery
    private let search: IndexSchema.Search?
    private let access: QueryAccess

    struct Statement: Equatable {
        var text: String
        var arguments: [DatabaseValue] = []
        /// A field whose conditions do not choose the records of the index, because another one does.
        var unindexed: RecordField?

        func expression(_ field: RecordField) -> String {
            // SQLite uses no index for the result of an operator.
            (field == unindexed ? "+" : "") + QueryFunctions.expression(field)
        }

        /// Adds an argument.
        ///
        /// - Returns: The text that stands for it.
        mutating func bind(_ value: FieldValue) -> String {
            guard case .text(let text) = value, text.utf8.contains(0) else {
                arguments.append(value.databaseValue)
                return "?"
            }
            // A text argument would end at the zero.
            arguments.append(Data(text.utf8).databaseValue)
            return "sync_text(?)"
        }
    }

    init(_ query: RecordQuery, search: IndexSchema.Search?, _ access: QueryAccess) {
        self.query = query
        self.search = search
        self.access = access
    }

    /// Never true. SQLite would simplify a constant, and then finds no use for the index that the statement names.
    private static let never = "changes < 0"

    /// The rows of a page are those of the statements in succession, which are run until the page is full. Each has one more
    /// argument, the number of rows that are still wanted.
    func pages(offset: Int) -> [Statement] {
        parts.map { part in
            var statement = selected(RecordTable.columns, part)
            statement.text += " ORDER BY \(order(isLeadFixed: part.isLeadFixed)) LIMIT \(offset), ?"
            return statement
        }
    }

    var count: Statement { selected("count(*)", Part()) }

    private func selected(_ columns: String, _ part: Part) -> Statement {
        var statement = Statement(
            text: "SELECT \(columns) FROM record\(access.clause) WHERE object = '\(query.object)'")
        if !query.includesDeleted { statement.text += " AND changes & \(LocalRecord.Changes.deleted.rawValue) = 0" }
        if part.isLeadFixed { statement.unindexed = query.effectiveOrder.first?.order.field }
        for condition in query.condition.conjuncts {
            statement.text += " AND "
            add(condition, to: &statement)
        }
        statement.text += part.condition.text
        statement.arguments += part.condition.arguments
        return statement
    }

    private func order(isLeadFixed: Bool) -> String {
        let terms = query.effectiveOrder.dropFirst(isLeadFixed ? 1 : 0).map {
            "\(QueryFunctions.expression($0.order.field)) \($0.order.isDescending ? "DESC" : "ASC")"
        }
        return (terms + ["key \(query.isKeyDescending ? "DESC" : "ASC")"]).joined(separator: ", ")
    }
}

// Conditions.
extension QuerySQL {
    private func add(_ condition: RecordCondition, to statement: inout Statement) {
        switch condition {
        case .always: statement.text += "1"
        case .compare(let field, let comparison, let value):
            let (field, wanted) = value.comparable(with: field)
            compare(statement.expression(field), comparison, wanted, &statement)
        case .isIn(let field, let values): isIn(field, values, &statement)
        case .hasPrefix(let field, let prefix):
            let (expression, prefix) = (statement.expression(field), field.folded(prefix))
            statement.text += "(\(expression) >= \(statement.bind(.text(prefix)))"
            if let end = QuerySQL.end(ofPrefix: prefix) {
                statement.text += " AND \(expression) < \(statement.bind(.text(end)))"
            }
            statement.text += ")"
        case .contains(let field, let part):
            let expression = statement.expression(field)
            let part = statement.bind(.text(field.folded(part)))
            statement.text += "(typeof(\(expression)) = 'text' AND instr(\(expression), \(part)) > 0)"
        case .search(let text): find(text, &statement)
        case .isDirty: statement.text += "changes <> 0"
        case .isGone: statement.text += "gone <> 0"
        case .and(let list): join(list, by: " AND ", empty: "1", &statement)
        case .or(let list): join(list, by: " OR ", empty: QuerySQL.never, &statement)
        case .not(let condition):
            // NULL is neither true nor false for SQLite.
            statement.text += "NOT coalesce("
            add(condition, to: &statement)
            statement.text += ", 0)"
        }
    }

    private func join(
        _ list: [RecordCondition], by separator: String, empty: String, _ statement: inout Statement
    ) {
        guard !list.isEmpty else {
            statement.text += empty
            return
        }
        statement.text += "("
        for (index, condition) in list.enumerated() {
            if index > 0 { statement.text += separator }
            add(condition, to: &statement)
        }
        statement.text += ")"
    }

    private func compare(
        _ expression: String, _ comparison: RecordCondition.Comparison, _ wanted: FieldValue,
        _ statement: inout Statement
    ) {
        guard wanted != .none else {
            switch comparison {
            case .equal: statement.text += "\(expression) IS NULL"
            case .notEqual: statement.text += "\(expression) IS NOT NULL"
            default: statement.text += QuerySQL.never
            }
            return
        }
        let value = statement.bind(wanted)
        // Numbers come before text, and the first text is the empty one.
        let isText = wanted.kind == .text
        switch comparison {
        case .equal: statement.text += "\(expression) = \(value)"
        case .notEqual: statement.text += "\(expression) IS NOT \(value)"
        case .less, .lessOrEqual:
            let sign = comparison == .less ? "<" : "<="
            statement.text += "(\(expression) \(sign) \(value)\(isText ? " AND \(expression) >= ''" : ""))"
        case .greater, .greaterOrEqual:
            let sign = comparison == .greater ? ">" : ">="
            statement.text += "(\(expression) \(sign) \(value)\(isText ? "" : " AND \(expression) < ''"))"
        }
    }

    private func isIn(_ field: RecordField, _ values: [QueryValue], _ statement: inout Statement) {
        let wanted = values.filter { $0 != .null }.map { $0.comparable(with: field) }
        let expression = statement.expression(wanted.first?.field ?? field)
        let list = wanted.map { statement.bind($0.value) }
        statement.text += list.isEmpty ? "(\(QuerySQL.never)" : "(\(expression) IN (\(list.joined(separator: ", ")))"
        if values.contains(.null) { statement.text += " OR \(statement.expression(field)) IS NULL" }
        statement.text += ")"
    }

    /// The words contain letters and digits only, so that no text is an expression of FTS5.
    private func find(_ text: String, _ statement: inout Statement) {
        let words = SearchWords.words(of: text)
        guard !words.isEmpty, let search else {
            statement.text += "1"
            return
        }
        statement.text += "number IN (SELECT rowid FROM \(search.name) WHERE \(search.name) MATCH ?)"
        statement.arguments.append(words.map { "\"\($0)\"*" }.joined(separator: " ").databaseValue)
    }

    /// The first text that comes after all texts with the prefix; nil if there is none.
    static func end(ofPrefix prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            guard last.value < 0x10ffff else { continue }
            scalars.append(Unicode.Scalar(last.value + 1) ?? "\u{e000}")
            return String(String.UnicodeScalarView(scalars))
        }
        return nil
    }
}

// Parts.
extension QuerySQL {
    /// A part of the result after a place.
    private struct Part {
        var condition = Statement(text: "")
        /// Whether the first order has one value in this part.
        var isLeadFixed = false
    }

    /// The parts in which an index finds the records after the place: those with the same value in the first order, then those
    /// with later values.
    private var parts: [Part] {
        guard let after = query.after else { return [Part()] }
        let order = query.effectiveOrder
        var same = Statement(text: " AND ")
        add(order[...], after, &same)
        guard let lead = order.first else { return [Part(condition: same)] }
        same.text = " AND "
        same.arguments = []
        let value = after.values[lead.place]
        let expression = QueryFunctions.expression(lead.order.field)
        compare(expression, .equal, value, &same)
        same.text += " AND "
        add(order.dropFirst(), after, &same)
        var parts = [Part(condition: same, isLeadFixed: true)]
        var later = Statement(text: "")
        switch (lead.order.isDescending, value) {
        case (true, .none): break
        case (true, _):
            later.text = " AND \(expression) < \(later.bind(value))"
            parts.append(Part(condition: later))
            parts.append(Part(condition: Statement(text: " AND \(expression) IS NULL"), isLeadFixed: true))
        // Every number and every text.
        case (false, .none): parts.append(Part(condition: Statement(text: " AND \(expression) >= -9e999")))
        case (false, _):
            later.text = " AND \(expression) > \(later.bind(value))"
            parts.append(Part(condition: later))
        }
        return parts
    }

    /// The records after the place by the remaining orders and the key.
    private func add(
        _ order: ArraySlice<(place: Int, order: RecordOrder)>, _ after: RecordPlace, _ statement: inout Statement
    ) {
        guard let first = order.first else {
            statement.text += "key \(query.isKeyDescending ? "<" : ">") ?"
            statement.arguments.append(after.key.databaseValue)
            return
        }
        let value = after.values[first.place]
        let expression = QueryFunctions.expression(first.order.field)
        switch (first.order.isDescending, value) {
        case (true, .none): statement.text += "("
        case (false, .none): statement.text += "(\(expression) IS NOT NULL OR "
        case (let isDescending, _):
            statement.text += "(\(expression) \(isDescending ? "<" : ">") \(statement.bind(value))"
            statement.text += isDescending ? " OR \(expression) IS NULL OR " : " OR "
        }
        statement.text += "("
        compare(expression, .equal, value, &statement)
        statement.text += " AND "
        add(order.dropFirst(), after, &statement)
        statement.text += "))"
    }
}

extension FieldValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .none: .null
        case .integer(let integer): integer.databaseValue
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }
}
