import PushDispatch
package import ServiceHost

/// Who belongs to an audience.
package struct AudienceRule: Hashable, Sendable {
    package var id: String
    package var name: String
    /// All must hold; without any everybody belongs to it.
    package var conditions: [AudienceCondition]

    package init(_ id: String, name: String? = nil, _ conditions: [AudienceCondition] = []) {
        self.id = id
        self.name = name ?? id
        self.conditions = conditions
    }

    /// Whether a profile belongs to it, with the reason for each condition.
    func judge(_ profile: VisitorProfile) -> (isIn: Bool, reasons: [AudienceCondition.Reason]) {
        let reasons = conditions.map { $0.judge(profile) }
        return (reasons.allSatisfy(\.holds), reasons)
    }

    func holds(_ profile: VisitorProfile) -> Bool { conditions.allSatisfy { $0.judge(profile).holds } }
}

/// What an audience asks of a profile.
package struct AudienceCondition: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// A trait, or a value in it with a dotted path.
        case trait(String)
        /// A key of the location, such as `countryCode`.
        case location(String)
        /// A key of the session, such as `isReturningVisitor` or `count`.
        case session(String)
        /// How often an event has come: the name of a `track` event, or a type such as `page`.
        case event(String)
    }

    package var subject: Subject
    package var test: Comparison<String>

    package init(_ subject: Subject, _ test: Comparison<String>) {
        self.subject = subject
        self.test = test
    }

    package struct Reason: Hashable, Sendable {
        package let condition: String
        /// What the profile has; nil where it has nothing.
        package let value: String?
        package let holds: Bool
    }

    /// A condition that compares a number with text does not hold.
    func judge(_ profile: VisitorProfile) -> Reason {
        let value: String?
        switch subject {
        case .trait(let path): value = AudienceCondition.value(of: path, in: profile.traits)
        case .location(let path): value = AudienceCondition.value(of: path, in: profile.location)
        case .session(let path): value = AudienceCondition.value(of: path, in: profile.session.members)
        case .event(let name):
            let count = profile.eventCounts[name] ?? 0
            // Never is a count too, so that `less: 1` holds, but nothing that exists.
            if case .exists = test { value = count > 0 ? String(count) : nil } else { value = String(count) }
        }
        let holds = (try? test.holds(value) { $0 }) ?? false
        return Reason(condition: text, value: value, holds: holds)
    }

    /// A key as a whole comes before a path with dots.
    private static func value(of path: String, in members: [String: JSONValue]) -> String? {
        if let value = members[path] { return text(value) }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        guard let inner = members[String(path[..<dot])]?.object else { return nil }
        return value(of: String(path[path.index(after: dot)...]), in: inner)
    }

    /// A whole number has no fraction, whether it was written with one or not.
    private static func text(_ value: JSONValue) -> String? {
        if case .number(let number) = value, let whole = Int64(exactly: number) { return String(whole) }
        return ScalarText.text(value)
    }

    private var text: String {
        let name =
            switch subject {
            case .trait(let name): "trait \(name)"
            case .location(let name): "location \(name)"
            case .session(let name): "session \(name)"
            case .event(let name): "event \(name)"
            }
        return switch test {
        case .equals(let text): "\(name) equals \(text)"
        case .isIn(let texts): "\(name) in \(texts.joined(separator: ", "))"
        case .exists(let wanted): "\(name) \(wanted ? "exists" : "does not exist")"
        case .greater(let text): "\(name) greater than \(text)"
        case .less(let text): "\(name) less than \(text)"
        }
    }
}
