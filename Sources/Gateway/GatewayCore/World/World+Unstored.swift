import APNSModel

/// Answers while nothing can be stored.
extension World {
    /// Refuses a request without judging it, because the verdict could not be stored. The world does not change.
    package func refuseUnstored(_ complete: CompleteRequest, on connection: GatewayConnection) -> Judgement {
        let request = Inspection(complete, at: 0)
        var kind = RequestKind.notification
        if request.pathToken == nil || connection.role == .manage {
            kind = ChannelInspection(request.head, over: connection.role)?.kind ?? .notification
        }
        var random = SystemRandomNumberGenerator()
        let apnsID =
            NotificationID(checking: request.head.apnsID ?? "")?.text ?? NotificationID(using: &random).text
        let verdict = Verdict(
            outcome: .refused(.serviceUnavailable, timestamp: nil), apnsID: apnsID, shownID: nil, rule: "store",
            why: "the gateway cannot store it", kind: kind)
        return Judgement(
            verdict: verdict, sequence: .max, streamLimit: nil, events: [],
            response: GatewayResponse(verdict, settings.contested, isToHead: request.head.method == "HEAD"), fault: nil)
    }
}

extension GatewayResponse {
    /// The refusal that replaces the answer to an accepted request that could not be stored.
    package init(unstored response: GatewayResponse, _ contested: ContestedSettings) {
        let verdict = Verdict(
            outcome: .refused(.serviceUnavailable, timestamp: nil), apnsID: response.apnsID, shownID: nil,
            rule: "store", why: "the gateway cannot store it",
            kind: response.isAboutChannels ? .broadcast : .notification)
        self.init(verdict, contested)
    }
}
