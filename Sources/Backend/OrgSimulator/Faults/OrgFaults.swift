import APNSModel
import PushDispatch
import SelectiveSync
import ServiceHost

/// The fault rules of an org in the order of their creation. The first rule that matches a call applies.
package struct OrgFaults: Hashable, Sendable {
    package struct Rule: Hashable, Sendable {
        package let id: String
        package var fault: OrgFault
    }

    package static let maximumRules = 1_000

    package private(set) var rules: [Rule] = []
    private var generator = SeededGenerator(seed: 0)
    private var lastNumber = 0

    /// - Parameter seed: The same seed, rules and calls give the same hits and delays.
    package init(seed: UInt64 = 0) { generator = SeededGenerator(seed: seed) }

    /// - Returns: The rule's id; nil if there are already too many rules.
    @discardableResult
    package mutating func add(_ fault: OrgFault) -> String? {
        guard rules.count < OrgFaults.maximumRules else { return nil }
        lastNumber += 1
        let id = "fault-\(lastNumber)"
        rules.append(Rule(id: id, fault: fault))
        return id
    }

    /// - Returns: Whether the rule existed.
    package mutating func remove(_ id: String) -> Bool {
        let count = rules.count
        rules.removeAll { $0.id == id }
        return rules.count < count
    }

    package mutating func removeAll() { rules = [] }

    /// The effect of the first rule that applies to this call, with its delay chosen.
    ///
    /// - Parameter user: The user of the call; nil if the call has none.
    mutating func hit(_ request: ServiceRequest, _ user: RecordID?, at now: ServerDate) -> (id: String, Effect)? {
        rules.removeAll { rule in rule.fault.until.map { $0 <= now } ?? false }
        for (index, rule) in rules.enumerated() {
            let fault = rule.fault
            guard fault.matches(request, user) else { continue }
            guard fault.probability >= 1 || Double.random(in: 0..<1, using: &generator) < fault.probability else {
                continue
            }
            if let count = fault.count {
                rules[index].fault.count = count - 1
                if count <= 1 { rules.remove(at: index) }
            }
            guard case .delay(let range) = fault.effect else { return (rule.id, fault.effect) }
            let delay = Int64.random(in: range, using: &generator)
            return (rule.id, .delay(delay...delay))
        }
        return nil
    }

    typealias Effect = OrgFault.Effect
}

extension OrgFault {
    fileprivate func matches(_ request: ServiceRequest, _ user: RecordID?) -> Bool {
        if let method = match.method, method != request.method { return false }
        if let path = match.path, !request.path.contains(path) { return false }
        if let wanted = match.user, wanted != user { return false }
        switch effect {
        // A rule that cannot affect this call does not use up its count.
        case .expireToken: return user != nil
        case .revokeRefreshToken: return request.path == OrgRoute.tokenPath
        case .losePage: return OrgRoute.isLaterPage(request.path)
        case .refuse, .reachLimit, .delay, .disconnect, .hideField: return true
        }
    }
}
