/// A targeting condition of a decision, or a filter of a recommender.
package struct Condition: Hashable, Sendable {
    /// What is compared.
    package enum Subject: Hashable, Sendable {
        /// Of the person. A context value of the same name wins.
        case attribute(String)
        /// Of the request, or a parameter of its `requestUrl`.
        case context(String)
        /// Of the item that is filtered; in a targeting condition of the anchor item.
        case field(String)
    }

    /// What it is compared with.
    package enum Operand: Hashable, Sendable {
        case literal(String)
        case context(String)
        case attribute(String)
        /// A field of the anchor item.
        case anchor(String)
    }

    package enum Test: Hashable, Sendable {
        case equals(Operand)
        case isIn([Operand])
        case exists(Bool)
        case greater(Operand)
        case less(Operand)
    }

    package var subject: Subject
    package var test: Test

    package init(_ subject: Subject, _ test: Test) {
        self.subject = subject
        self.test = test
    }

    /// What is known when a rule is evaluated.
    struct Facts {
        var context: [String: String] = [:]
        /// Parameters of the request's URL.
        var campaign: [String: String] = [:]
        var attributes: [String: String] = [:]
        var anchor: Item?

        func contextValue(_ name: String) -> String? { context[name] ?? campaign[name] }

        /// Where a name occurs in several sources, the context wins over events and profile.
        func attribute(_ name: String) -> String? { context[name] ?? attributes[name] }

        func value(_ operand: Operand) -> String? {
            switch operand {
            case .literal(let text): text
            case .context(let name): contextValue(name)
            case .attribute(let name): attribute(name)
            case .anchor(let field): anchor?.fields[field]
            }
        }
    }

    /// Why a rule has no value: a number is compared with text that is not a number.
    struct CannotEvaluate: Error, Hashable {}

    /// Whether it holds. A missing value meets only `exists: false`.
    func holds(_ facts: Facts, item: Item? = nil) throws(CannotEvaluate) -> Bool {
        let value: String? =
            switch subject {
            case .attribute(let name): facts.attribute(name)
            case .context(let name): facts.contextValue(name)
            case .field(let name): (item ?? facts.anchor)?.fields[name]
            }
        switch test {
        case .exists(let wanted): return (value != nil) == wanted
        case .equals(let operand): return value != nil && value == facts.value(operand)
        case .isIn(let operands): return value != nil && operands.contains { facts.value($0) == value }
        case .greater(let operand): return try order(value, facts.value(operand)) == 1
        case .less(let operand): return try order(value, facts.value(operand)) == -1
        }
    }

    /// 1, 0 or -1; nil if a value is missing. Two numbers are compared as numbers, two other texts by their characters.
    private func order(_ left: String?, _ right: String?) throws(CannotEvaluate) -> Int? {
        guard let left, let right else { return nil }
        switch (Condition.number(left), Condition.number(right)) {
        case (let left?, let right?): return left < right ? -1 : left > right ? 1 : 0
        case (nil, nil): return left < right ? -1 : left > right ? 1 : 0
        default: throw CannotEvaluate()
        }
    }

    private static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension [Condition] {
    func allHold(_ facts: Condition.Facts, item: Item? = nil) throws(Condition.CannotEvaluate) -> Bool {
        for condition in self where try !condition.holds(facts, item: item) { return false }
        return true
    }
}
