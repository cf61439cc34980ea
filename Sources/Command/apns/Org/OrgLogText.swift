import PushDispatch

/// An entry of the log as a line for people.
enum OrgLogText {
    /// The number of the log's newest entry, of an answer to `GET /simulator/log`.
    static func newest(in answer: JSONValue) -> Int? {
        guard case .integer(let number)? = answer.object?["last"] else { return nil }
        return Int(exactly: number)
    }

    static func line(_ entry: JSONValue, style: Style) -> String {
        var members = entry.object ?? [:]
        let time = members.removeValue(forKey: "time")?.string ?? ""
        let event = members.removeValue(forKey: "event")?.string ?? ""
        members["number"] = nil
        let rest = members.sorted { $0.key < $1.key }.map { key, value in
            "\(key)=\(value.string ?? String(decoding: value.compactBytes, as: UTF8.self))"
        }
        let isBad = event.hasPrefix("GATEWAY_REFUSED") || event == "SAVE_FAILED" || event.contains("LIMIT")
        let name = isBad ? style.bad(event) : event == "GATEWAY_ACCEPTED" ? style.good(event) : style.strong(event)
        // Only the time of day, down to milliseconds.
        return "\(PlainText.safe(time.dropFirst(11).prefix(12)))  \(name)  "
            + PlainText.safe(rest.joined(separator: " "))
    }
}
