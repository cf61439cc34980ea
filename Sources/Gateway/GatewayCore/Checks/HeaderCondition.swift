/// What a fault rule requires of one header of a request.
package struct HeaderCondition: Hashable, Sendable, Codable {
    /// A header that a fault rule can match.
    package enum Name: String, Hashable, Sendable, CaseIterable, Codable {
        case authorization
        case topic = "apns-topic"
        case pushType = "apns-push-type"
        case id = "apns-id"
        case expiration = "apns-expiration"
        case priority = "apns-priority"
        case collapseID = "apns-collapse-id"
        case channelID = "apns-channel-id"
        case requestID = "apns-request-id"
    }

    package enum Requirement: Hashable, Sendable, Codable {
        case present, absent
        /// The value of the header; case matters.
        case value(String)
    }

    package let name: Name
    package let requirement: Requirement

    package init(_ name: Name, _ requirement: Requirement) {
        self.name = name
        self.requirement = requirement
    }

    func isMet(by head: RequestHead) -> Bool {
        switch requirement {
        case .present: head[name] != nil
        case .absent: head[name] == nil
        case .value(let text): head[name] == text
        }
    }
}

extension RequestHead {
    fileprivate subscript(name: HeaderCondition.Name) -> String? {
        switch name {
        case .authorization: authorization
        case .topic: topic
        case .pushType: pushType
        case .id: apnsID
        case .expiration: expiration
        case .priority: priority
        case .collapseID: collapseID
        case .channelID: channelID
        case .requestID: requestID
        }
    }
}
