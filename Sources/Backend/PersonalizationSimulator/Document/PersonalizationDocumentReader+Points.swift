import ConfigurationText
import ServiceHost

/// Reads points with their decisions, recommenders and experiments.
extension PersonalizationDocumentReader {
    mutating func points(_ node: YAMLNode, _ key: String) {
        var givenIDs: Set<String> = []
        var withoutID: [Int] = []
        for (key, node) in list(node, key, limit: ServiceLimits.documentPoints) {
            let members = members(of: node, key, .point)
            guard let name = requiredName("name", members, node, key) else { continue }
            guard !configuration.points.contains(where: { $0.name == name }) else {
                reader.report("there is already a point named \(node["name"]?.shown ?? name)", at: node, key)
                continue
            }
            var point = DecisionPoint(name, number: configuration.points.count + 1)
            var givenID: String?
            for (name, key, node) in members {
                switch name {
                case "id": givenID = pointID(node, key, givenIDs)
                case "graph": point.graph = self.name(node, key) ?? point.graph
                case "dataspace": point.dataSpace = dataSpace(node, key) ?? point.dataSpace
                case "sign-on": point.needsSignOn = reader.boolean(node, key) ?? point.needsSignOn
                case "landing": point.isLanding = reader.boolean(node, key) ?? point.isLanding
                case "decisions": point.decisions = decisions(node, key)
                default: break
                }
            }
            for (name, key, node) in members where name == "experiment" {
                point.experiment = experiment(node, key, point.decisions.map(\.name))
            }
            if let givenID {
                givenIDs.insert(givenID)
                point.id = givenID
            } else {
                withoutID.append(configuration.points.count)
            }
            configuration.points.append(point)
        }
        makeUnique(withoutID, givenIDs)
    }

    /// A made id has the number of its point, or where another point was given that id the next number after all points.
    private mutating func makeUnique(_ points: [Int], _ givenIDs: Set<String>) {
        var number = configuration.points.count
        for index in points {
            while givenIDs.contains(configuration.points[index].id) {
                number += 1
                configuration.points[index].id = VendorID.make("9pp", number)
            }
        }
    }

    private mutating func pointID(_ node: YAMLNode, _ key: String, _ known: Set<String>) -> String? {
        guard let text = name(node, key) else { return nil }
        guard text.hasPrefix("9pp"), !known.contains(text) else {
            reader.report("\(node.shown) is given where a new id that begins with 9pp is expected", at: node, key)
            return nil
        }
        return text
    }

    mutating func dataSpace(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = name(node, key) else { return nil }
        guard configuration.dataSpaces.contains(text) else {
            let known = configuration.dataSpaces.joined(separator: ", ")
            reader.report("there is no data space \(node.shown); there are \(known)", at: node, key)
            return nil
        }
        return text
    }

    // MARK: Decisions

    private mutating func decisions(_ node: YAMLNode, _ key: String) -> [PointDecision] {
        var decisions: [PointDecision] = []
        for (key, node) in list(node, key, limit: ServiceLimits.decisionsPerPoint) {
            let members = members(of: node, key, .decision)
            guard let name = requiredName("id", members, node, key) else { continue }
            guard name != Experiment.control, !decisions.contains(where: { $0.name == name }) else {
                reader.report(
                    "the id of a decision must be unique in its point and must not be \(Experiment.control)", at: node,
                    key)
                continue
            }
            decisionCount += 1
            var decision = PointDecision(name, number: decisionCount)
            for (name, key, node) in members {
                switch name {
                case "when": decision.conditions = conditions(node, key)
                case "content": decision.content = texts(node, key, limit: ServiceLimits.attributes)
                case "recommend": decision.recommender = recommender(node, key)
                default: break
                }
            }
            if !members.contains(where: { ["content", "recommend"].contains($0.name) }) {
                reader.report("a decision needs content, recommend, or both", at: node, key)
            }
            decisions.append(decision)
        }
        return decisions
    }

    private mutating func recommender(_ node: YAMLNode, _ key: String) -> Recommender? {
        let members = members(of: node, key, .recommender)
        guard let type = requiredName("type", members, node, key) else { return nil }
        if configuration.items[type] == nil {
            let known = configuration.items.keys.sorted().joined(separator: ", ")
            reader.report("there are no items of the type \(type); there are \(known)", at: node, key)
        }
        var recommender = Recommender(type, limit: ServiceLimits.itemsPerRecommendation)
        for (name, key, node) in members {
            switch name {
            case "limit":
                let range = 1...Int64(ServiceLimits.itemsPerRecommendation)
                recommender.limit = reader.number(node, key, in: range).map { Int($0) } ?? recommender.limit
            case "where": recommender.filters = conditions(node, key)
            case "order":
                let words = Recommender.Order.allCases.map { ($0.rawValue, $0) }
                recommender.order = reader.word(node, key, words) ?? recommender.order
            case "fill": recommender.fills = reader.boolean(node, key) ?? recommender.fills
            case "omit-anchor": recommender.omitsAnchor = reader.boolean(node, key) ?? recommender.omitsAnchor
            default: break
            }
        }
        return recommender
    }

    // MARK: Conditions

    private mutating func conditions(_ node: YAMLNode, _ key: String) -> [Condition] {
        var conditions: [Condition] = []
        for (key, node) in list(node, key, limit: ServiceLimits.conditions) {
            if let condition = condition(node, key) { conditions.append(condition) }
        }
        return conditions
    }

    private mutating func condition(_ node: YAMLNode, _ key: String) -> Condition? {
        var subjects: [Condition.Subject] = []
        var tests: [Condition.Test] = []
        for (name, key, node) in members(of: node, key, .condition) {
            switch name {
            case "attribute": self.name(node, key).map { subjects.append(.attribute($0)) }
            case "context": self.name(node, key).map { subjects.append(.context($0)) }
            case "field": self.name(node, key).map { subjects.append(.field($0)) }
            case "equals": operand(node, key).map { tests.append(.equals($0)) }
            case "greater": operand(node, key).map { tests.append(.greater($0)) }
            case "less": operand(node, key).map { tests.append(.less($0)) }
            case "exists": reader.boolean(node, key).map { tests.append(.exists($0)) }
            case "in":
                var operands: [Condition.Operand] = []
                for (key, node) in list(node, key, limit: ServiceLimits.attributes) {
                    operand(node, key).map { operands.append($0) }
                }
                tests.append(.isIn(operands))
            default: break
            }
        }
        guard subjects.count == 1, tests.count == 1 else {
            if node.isMapping {
                reader.report(
                    "a condition has one of attribute, context, field and one of equals, in, exists, greater, less",
                    at: node, key)
            }
            return nil
        }
        return Condition(subjects[0], tests[0])
    }

    private mutating func operand(_ node: YAMLNode, _ key: String) -> Condition.Operand? {
        guard node.isMapping else { return value(node, key).map { .literal($0) } }
        let members = reader.members(of: node, key, known: ["context", "attribute", "anchor"])
        guard members.count == 1, let member = members.first, let name = name(member.node, member.key) else {
            reader.report("{context: NAME}, {attribute: NAME} or {anchor: FIELD} is expected", at: node, key)
            return nil
        }
        switch member.name {
        case "context": return .context(name)
        case "attribute": return .attribute(name)
        default: return .anchor(name)
        }
    }

    // MARK: Experiments

    private mutating func experiment(_ node: YAMLNode, _ key: String, _ decisions: [String]) -> Experiment? {
        let members = members(of: node, key, .experiment)
        guard let id = requiredName("id", members, node, key) else { return nil }
        guard let list = members.first(where: { $0.name == "shares" }) else {
            reader.report("the key shares is missing", at: node, key)
            return nil
        }
        var experiment = Experiment(id, [])
        for (key, node) in self.list(list.node, list.key, limit: ServiceLimits.decisionsPerPoint + 1) {
            let members = self.members(of: node, key, .share)
            guard let decision = requiredName("decision", members, node, key) else { continue }
            guard let share = members.first(where: { $0.name == "share" }) else {
                reader.report("the key share is missing, a number from 0 to 1", at: node, key)
                continue
            }
            if decision != Experiment.control, !decisions.contains(decision) {
                let known = (decisions + [Experiment.control]).joined(separator: ", ")
                reader.report("there is no decision \(decision) at this point; there are \(known)", at: node, key)
            }
            if let share = fraction(share.node, share.key) { experiment.shares.append(.init(share, decision)) }
        }
        if experiment.shares.reduce(0, { $0 + $1.share }) > 1 + 1e-9 {
            reader.report("the shares sum to more than 1", at: list.node, list.key)
        }
        for (name, key, node) in members where name == "when" { experiment.conditions = conditions(node, key) }
        return experiment
    }
}
