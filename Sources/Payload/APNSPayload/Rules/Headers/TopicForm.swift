import APNSModel

extension Rule {
    public static let topicForm = Rule(
        id: "topic-form", severity: .error, layer: .gateway, refusal: .badTopic, stage: .headers,
        summary:
            "A topic consists of names of ASCII letters, digits, hyphens and underscores, with single dots between.",
        rationale: """
            A topic is a bundle id, with a suffix for some push types. A bundle id contains no other characters: no \
            white space, no wildcard, no slash. It neither begins nor ends with a dot. Apple documents BadTopic but not what exactly is checked; APNs refuses \
            a topic that belongs to no app in any case.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, topic: "com.example.agent"), Example("{}", .voip, topic: "com.example.My-App.voip"),
            Example("{}", topic: "pass.com.example.ticket"), Example("{}", .alert),
        ],
        fails: [
            Example("{}", .alert, topic: "com.example.agent "), Example("{}", .alert, topic: ""),
            Example("{}", .alert, topic: "com.example.*"), Example("{}", .alert, topic: "com.exämple.agent"),
            Example("{}", .alert, topic: ".com.example.agent"), Example("{}", .alert, topic: "com.example..agent"),
            Example("{}", .alert, topic: "com.example.agent."),
        ]
    ) { notification, findings in
        guard let topic = notification.text(of: .topic), !topic.isTopic else { return }
        let wanted = "a topic is a bundle id of ASCII letters, digits, dots, hyphens and underscores"
        let key = notification.nameOfTopic
        if topic.isEmpty { return findings.report("\(key) is empty; \(wanted)", at: .header("apns-topic")) }
        guard let wrong = topic.unicodeScalars.first(where: { !$0.isTopicCharacter }) else {
            let fault =
                topic.begins(with: ".")
                ? "begins with a dot" : topic.ends(with: ".") ? "ends with a dot" : "has two dots in a row"
            return findings.report(
                "\(key) \(notification.shown(text: topic)) \(fault), which no bundle id does",
                at: .header("apns-topic"))
        }
        let meant = topic.trimmed()
        findings.report(
            "\(key) \(notification.shown(text: topic)) contains \(wrong.named); \(wanted)",
            at: .header("apns-topic"), correction: meant.isTopic ? meant : nil)
    }
}

extension String {
    fileprivate var isTopic: Bool {
        withBytes { bytes in
            // As if a dot came before the first byte, so that one at the beginning counts as the second in a row.
            var isAfterDot = true
            for byte in bytes {
                let isDot = byte == UInt8(ascii: ".")
                guard !(isDot && isAfterDot),
                    isDot || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                else { return false }
                isAfterDot = isDot
            }
            return !isAfterDot
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isTopicCharacter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
        default: false
        }
    }
}
