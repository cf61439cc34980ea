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
}
