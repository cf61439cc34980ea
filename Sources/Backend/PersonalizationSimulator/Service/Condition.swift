package import ServiceHost

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

    package typealias Test = Comparison<Operand>
    typealias CannotEvaluate = ComparisonError

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

    /// Whether it holds. A missing value meets only `exists: false`.
    func holds(_ facts: Facts, item: Item? = nil) throws(CannotEvaluate) -> Bool {
        let value: String? =
            switch subject {
            case .attribute(let name): facts.attribute(name)
            case .context(let name): facts.contextValue(name)
            case .field(let name): (item ?? facts.anchor)?.fields[name]
            }
        return try test.holds(value) { facts.value($0) }
    }
}

extension [Condition] {
    func allHold(_ facts: Condition.Facts, item: Item? = nil) throws(Condition.CannotEvaluate) -> Bool {
        for condition in self where try !condition.holds(facts, item: item) { return false }
        return true
    }
}
