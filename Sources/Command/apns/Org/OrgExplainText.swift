import OrgSimulator
import PushDispatch

/// The answer of `GET /simulator/explain` as lines for people.
struct OrgExplainText {
    var style: Style

    private typealias Members = [String: JSONValue]

    /// How many ids of a group of records are shown; the line says how many there are.
    private static let maximumIDs = 3

    func lines(_ answer: JSONValue) -> [String] {
        let change = answer.object ?? [:]
        var lines = [head(change)]
        for group in groups(objects(change, "records")) { lines += ["", recordLine(group), triggerLine(group[0])] }
        for call in objects(change, "pushes") { lines += [""] + callLines(call) }
        let others = objects(change, "others")
        if change["saved"] == true, objects(change, "pushes").isEmpty { lines += ["", "Nobody gets a push."] }
        if !others.isEmpty { lines += ["", "No push"] }
        for other in others {
            lines.append("  \(name(other)) (\(count(other["devices"], "device"))): \(why(other))")
        }
        if case .integer(let more)? = change["more-others"], more > 0 { lines.append("  and \(more) more users") }
        return lines
    }

    // MARK: The change and its records

    private func head(_ change: Members) -> String {
        let source: String =
            switch text(change, "source").flatMap({ ChangeSource.Kind(rawValue: $0) }) {
            case .browser: "in a browser"
            case .app: "in an app"
            case .flow: "by a flow"
            case .agent: "by an agent"
            case .integration: "by an integration"
            case .bulkLoad: "by a bulk load"
            case nil: safe(change, "source")
            }
        let others = (change["other-changes"]?.array ?? []).map { String(decoding: $0.compactBytes, as: UTF8.self) }
        let known = others.isEmpty ? "" : " (the record's other changes: \(others.joined(separator: ", ")))"
        let number = String(decoding: (change["change"] ?? .null).compactBytes, as: UTF8.self)
        let result = change["saved"] == true ? "saved" : style.bad("not saved") + ": \(why(change))"
        return style.strong("Change \(number)")
            + " at \(safe(change, "time")): \(name(change)) \(source), \(result)\(known)"
    }

    /// Records of one object with the same fields and the same decision, in the order of their first ones.
    private func groups(_ records: [Members]) -> [[Members]] {
        var groups: [[Members]] = []
        for record in records {
            let same = groups.firstIndex { group in
                ["object", "fields", "trigger"].allSatisfy { group[0][$0] == record[$0] }
            }
            if let same { groups[same].append(record) } else { groups.append([record]) }
        }
        return groups
    }

    private func recordLine(_ group: [Members]) -> String {
        let ids = list(group.map { safe($0, "id") })
        let fields = (group[0]["fields"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        return ids + " of \(safe(group[0], "object")): "
            + (fields.isEmpty ? "no field changed" : PlainText.safe("\(fields) changed"))
    }

    private func list(_ ids: [String]) -> String {
        let more = ids.count - OrgExplainText.maximumIDs
        return ids.prefix(OrgExplainText.maximumIDs).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private func triggerLine(_ record: Members) -> String {
        let trigger = record["trigger"]?.object ?? [:]
        return "  trigger  " + (trigger["fired"] == true ? style.good("fired") : style.bad("not fired"))
            + ": \(why(trigger))"
    }

    // MARK: Push calls and devices

    private func callLines(_ call: Members) -> [String] {
        let type = safe(call, "type")
        var line = "\(type.isEmpty ? "A push" : type) through \(safe(call, "app")) to \(name(call)): \(why(call))"
        if call["deferred"] == true { line += "; sent in a later transaction, because of the limit of push calls" }
        if case .integer(let hidden)? = call["hidden-records"], hidden > 0 {
            line += "; the user may not see \(hidden) of its records"
        }
        var lines = [line]
        if let obstacle = text(call, "obstacle") {
            lines.append("  " + style.bad("not sent") + ": \(PlainText.safe(obstacle))")
        }
        let ids = (call["records"]?.array ?? []).compactMap(\.string)
        if !ids.isEmpty { lines.append("  records  " + list(ids.map { PlainText.safe($0) })) }
        for device in objects(call, "devices") { lines += deviceLines(device) }
        return lines
    }

    private func deviceLines(_ device: Members) -> [String] {
        let isSent = device["sent"] == true
        var lines = [
            "  device \(safe(device, "device")), registered \(safe(device, "registered"))",
            "    org      " + (isSent ? style.good("sent") : style.bad("not sent")) + ": \(why(device))",
        ]
        if let gateway = device["gateway"]?.object { lines.append("    gateway  \(gatewayText(gateway))") }
        if let delivery = device["delivery"]?.object { lines.append("    device   \(deliveryText(delivery))") }
        return lines
    }

    private func gatewayText(_ gateway: Members) -> String {
        guard case .integer(let status)? = gateway["status"] else {
            return style.doubtful("no answer") + ": \(why(gateway))"
        }
        guard status != 200 else { return style.good("200") }
        return style.bad("\(status) \(safe(gateway, "reason"))")
            + (text(gateway, "why") == nil ? "" : ": \(why(gateway))")
    }

    private func deliveryText(_ delivery: Members) -> String {
        guard let stage = text(delivery, "stage") else { return style.doubtful("unknown") + ": \(why(delivery))" }
        let name = PlainText.safe(stage)
        let shown = stage == "delivered" ? style.good(name) : style.doubtful(name)
        return shown + " at \(safe(delivery, "time")): \(why(delivery))"
    }

    // MARK: Members

    private func objects(_ members: Members, _ key: String) -> [Members] {
        members[key]?.array?.compactMap(\.object) ?? []
    }

    private func text(_ members: Members, _ key: String) -> String? { members[key]?.string }

    private func safe(_ members: Members, _ key: String) -> String { PlainText.safe(text(members, key) ?? "") }

    private func name(_ members: Members) -> String { safe(members["user"]?.object ?? [:], "name") }

    /// The reason, with the names of the flaws behind it.
    private func why(_ members: Members) -> String {
        let flaws = (members["flaws"]?.array ?? []).compactMap(\.string)
        let names = flaws.isEmpty ? "" : " (\(flaws.count == 1 ? "flaw" : "flaws") \(flaws.joined(separator: ", ")))"
        return safe(members, "why") + (names.isEmpty ? "" : style.doubtful(PlainText.safe(names)))
    }

    private func count(_ number: JSONValue?, _ word: String) -> String {
        guard case .integer(let count)? = number else { return "" }
        return count == 1 ? "1 \(word)" : "\(count) \(word)s"
    }
}
