package import PayloadJSON

extension Envelope {
    /// A notification with the headers of an object that has other members too, which are not taken for misspelt headers.
    package init(headersOf document: borrowing JSONDocument, payload: [UInt8]) {
        let headers = EnvelopeHeaders(document)
        self.init(
            kind: .notification, token: headers[.token], topic: headers[.topic], pushType: headers[.pushType],
            priority: headers[.priority], expiration: headers[.expiration], collapseID: headers[.collapseID],
            apnsID: headers[.apnsID], channelID: headers[.channelID], payload: payload)
    }

    /// The value of a header, or of `token`, by its name in an envelope; nil if it is absent, and for another name.
    package func value(ofHeader name: String) -> String? {
        guard let key = EnvelopeKey.allCases.first(where: { $0.name == name }) else { return nil }
        return switch key {
        case .token: token
        case .topic: topic
        case .pushType: pushType
        case .priority: priority
        case .expiration: expiration
        case .collapseID: collapseID
        case .apnsID: apnsID
        case .channelID: channelID
        case .requestID: isIDOfRequest ? apnsID : nil
        }
    }
}
