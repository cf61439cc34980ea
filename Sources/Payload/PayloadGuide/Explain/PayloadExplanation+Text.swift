import APNSModel
package import PayloadJSON

extension PayloadExplanation {
    /// A part of the text: a title, and lines with or without a label.
    package struct Section: Hashable, Sendable {
        package let title: String
        package let lines: [Line]

        package struct Line: Hashable, Sendable {
            /// Empty where a line has none.
            package let label: String
            package let text: String
        }
    }

    /// The first line: push type and size.
    package var summary: String {
        let size = "\(payloadBytes) of \(maximumPayloadBytes) bytes"
        guard let pushType else { return "push type unknown, \(size)" }
        let source =
            switch origin {
            case .header, .unknown: ""
            case .topic: " (by its topic)"
            case .payload: " (by its keys)"
            }
        return "push type \(ShownText.cut(pushType.rawValue, to: 60))\(source), \(size)"
    }

    /// The explanation in parts for people. Situations with the same text share a line.
    package var sections: [Section] {
        var device: [Section.Line] = []
        var labels: [String] = []
        for (position, conduct) in self.device.enumerated() {
            labels.append(conduct.situation.title)
            let next = position + 1 < self.device.count ? self.device[position + 1].text : nil
            guard next != conduct.text else { continue }
            device.append(Section.Line(label: labels.joined(separator: ", "), text: conduct.text))
            labels = []
        }
        return [
            Section(title: "APNs", lines: gateway.map { Section.Line(label: "", text: $0) }),
            Section(title: "Device", lines: device),
            Section(title: "Also", lines: notes.map { Section.Line(label: "", text: $0) }),
        ].filter { !$0.lines.isEmpty }
    }

    /// The members of a JSON object, with names as docs/payload.md has them.
    package func write(to object: inout JSONText) {
        object.addOrNull("push-type", pushType?.rawValue)
        object.add("push-type-from", origin.rawValue)
        object.add("payload-bytes", payloadBytes)
        object.add("maximum-payload-bytes", maximumPayloadBytes)
        object.add("gateway", strings: gateway)
        object.add(
            "device",
            .object { device in
                for conduct in self.device {
                    device.add(name: conduct.situation.rawValue, json: JSONText.string(conduct.text).bytes)
                }
            })
        object.add("notes", strings: notes)
    }
}
