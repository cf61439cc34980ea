import Foundation

/// How the events of a batch become the body of a request.
public struct BatchForm: Sendable {
    /// The value of the header `Content-Type`.
    public var contentType: String
    /// The body of a request with these events, in their order.
    public var encode: @Sendable ([CapturedEvent]) -> [UInt8]

    public init(contentType: String, encode: @escaping @Sendable ([CapturedEvent]) -> [UInt8]) {
        self.contentType = contentType
        self.encode = encode
    }
}

extension BatchForm {
    /// `{"events":[…]}`.
    ///
    /// - Parameters:
    ///   - key: The member with the events.
    ///   - members: More members as JSON text, such as `"options":{"features":["location"]}`; empty for none.
    public static func json(key: String, members: String = "", contentType: String = "application/json") -> BatchForm {
        BatchForm(contentType: contentType) { object($0, key, members) }
    }

    /// `[…]`.
    public static let jsonArray = BatchForm(contentType: "application/json") { array($0) }

    /// One event a line.
    public static let lines = BatchForm(contentType: "application/x-ndjson") { events in
        events.reduce(into: []) { $0 += $1.body + [UInt8(ascii: "\n")] }
    }

    /// An object for each group, in the order of their first events: `[{"profile":{"id":"GROUP"},"events":[…]}]`.
    ///
    /// Events of a group keep their order, and no event moves past one with `holdsOrder`: after that, groups start new
    /// objects. Events without a group form one with the id "".
    public static func groups(_ group: String = "profile", key: String = "events") -> BatchForm {
        BatchForm(contentType: "application/json") { events in
            var objects: [(name: String, events: [CapturedEvent])] = []
            // The objects that more events can join.
            var open: [String: Int] = [:]
            for event in events {
                let name = event.group ?? ""
                if event.holdsOrder { open = [:] }
                // Joining the last object changes no order.
                var index = open[name] ?? objects.count - 1
                if index < 0 || objects[index].name != name {
                    objects.append((name, []))
                    index = objects.count - 1
                }
                objects[index].events.append(event)
                open[name] = index
            }
            return bracketed(
                objects.map { name, events in
                    object(events, key, "", first: "\(quoted(group)):{\"id\":\(quoted(name))}")
                })
        }
    }

    /// `event=` and the Base64 text of `{"events":[…]}`, percent-encoded, as a form.
    public static func form(field: String = "event", key: String = "events") -> BatchForm {
        BatchForm(contentType: "application/x-www-form-urlencoded") { events in
            let text = Data(object(events, key, "")).base64EncodedString()
            var body = Array(field.utf8) + [UInt8(ascii: "=")]
            body.reserveCapacity(body.count + text.utf8.count + 8)
            for byte in text.utf8 {
                // Of the characters of Base64 only these have a meaning in a form.
                switch byte {
                case UInt8(ascii: "+"): body += Array("%2B".utf8)
                case UInt8(ascii: "/"): body += Array("%2F".utf8)
                case UInt8(ascii: "="): body += Array("%3D".utf8)
                default: body.append(byte)
                }
            }
            return body
        }
    }

    private static func object(
        _ events: [CapturedEvent], _ key: String, _ members: String, first: String = ""
    ) -> [UInt8] {
        var bytes = Array("{".utf8)
        if !first.isEmpty { bytes += Array((first + ",").utf8) }
        bytes += Array("\(quoted(key)):".utf8) + array(events)
        if !members.isEmpty { bytes += Array(("," + members).utf8) }
        return bytes + Array("}".utf8)
    }

    private static func array(_ events: [CapturedEvent]) -> [UInt8] { bracketed(events.map(\.body)) }

    private static func bracketed(_ elements: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements.reduce(2) { $0 + $1.count + 1 })
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += element
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
