import APNSModel

/// Path, method and the headers that can be checked alone: steps 1 to 3 and 9 to 11 of docs/reference/apns.md 3.5.
enum HeaderChecks {
    static func path(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let token = request.pathToken, !hasSeparator(token) else {
            return Objection(
                .badPath,
                "the path \(PeerText.quoted(request.head.path)) is not known; send to /3/device/DEVICE-TOKEN"
            )
        }
        return nil
    }

    /// Whether more than one segment, or a query, follows.
    private static func hasSeparator(_ token: Substring) -> Bool {
        func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") }
        return token.utf8.withContiguousStorageIfAvailable { $0.contains(where: isSeparator) }
            ?? token.utf8.contains(where: isSeparator)
    }

    static func method(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.head.method != "POST" else { return nil }
        return Objection(
            .methodNotAllowed, "the method is \(PeerText.quoted(request.head.method)); a notification is sent with POST"
        )
    }

    static func once(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard !request.head.duplicated.isEmpty else { return nil }
        let names = request.head.duplicated.joined(separator: ", ")
        return Objection(.duplicateHeaders, "these headers came more than once: \(names); send each once")
    }

    static func id(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.apnsID else { return nil }
        guard let id = NotificationID(checking: text) else {
            return Objection(
                .badMessageID,
                "apns-id is \(PeerText.quoted(text)); it has to be a UUID of the form 8-4-4-4-12 hex digits")
        }
        if world.settings.contested.refusesUppercaseID, text.utf8.contains(where: { (0x41...0x46).contains($0) }) {
            return Objection(.badMessageID, "apns-id \(PeerText.quoted(text)) has upper-case letters")
        }
        request.id = id
        return nil
    }

    static func expiration(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.expiration else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text) else {
            return Objection(
                .badExpirationDate,
                "apns-expiration is \(PeerText.quoted(text)); it has to be whole seconds since 1970, or 0 for one attempt"
            )
        }
        request.expiration = Expiration(secondsSince1970: seconds)
        return nil
    }

    static func priority(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.priority else { return nil }
        switch text {
        case "10": request.priority = .immediate
        case "5": request.priority = .powerConsiderate
        case "1": request.priority = .low
        default: return Objection(.badPriority, "apns-priority is \(PeerText.quoted(text)); it has to be 10, 5 or 1")
        }
        return nil
    }

    static func collapseID(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.collapseID,
            !(text.isEmpty && world.settings.contested.acceptsEmptyCollapseID)
        else { return nil }
        request.collapseID = CollapseID(received: text)
        guard request.collapseID == nil else { return nil }
        return Objection(
            .badCollapseID,
            "apns-collapse-id has \(text.utf8.count) bytes; it may have 1 to \(CollapseID.maximumBytes), "
                + "none of them a control character")
    }

    /// Over a certificate with one topic the header may be left out (docs/reference/apns.md section 5).
    static func topicPresent(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.head.topic ?? "" == "" else { return nil }
        guard connection.certificate != nil else {
            return Objection(
                .missingTopic, "there is no apns-topic; a provider token needs one, most often the bundle id")
        }
        guard connection.certificateTopics.count > 1 else { return nil }
        let topics = connection.certificateTopics.map { PeerText.quoted($0) }.joined(separator: ", ")
        return Objection(.missingTopic, "there is no apns-topic, and the certificate has several: \(topics)")
    }

    static func topicForm(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        let named = request.head.topic ?? ""
        let text = named.isEmpty ? connection.certificateTopics.first ?? "" : named
        if let last = connection.lastTopic, last.text == text {
            request.topic = last
            return nil
        }
        connection.allowedRevision = nil
        guard let topic = Topic(text) else {
            return Objection(
                .badTopic,
                "apns-topic is \(PeerText.quoted(text)); a topic has 1 to 255 ASCII letters, digits, dots, hyphens and "
                    + "underscores")
        }
        connection.lastTopic = ParsedTopic(topic)
        request.topic = connection.lastTopic
        return nil
    }

    static func pushTypeKnown(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.pushType else { return nil }
        let isAnyCase = world.settings.contested.pushTypeCase == .any
        let pushType = PushType(rawValue: isAnyCase ? text.lowercased() : text)
        guard pushType.isKnown else {
            let known = PushType.known.map(\.rawValue).joined(separator: ", ")
            return Objection(
                .invalidPushType, "apns-push-type is \(PeerText.quoted(text)); known are \(known), in lower case")
        }
        request.pushType = pushType
        return nil
    }
}
