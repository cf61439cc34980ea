public import PushDispatch

extension RESTClient {
    /// Registers a device with the CRM.
    ///
    /// - Returns: The registration's id. Keep it for `unregister` at log-out.
    /// - Throws: `badRequest` if the device token is not made of hexadecimal digits, or the server's refusal. 404 means that
    ///   push is not switched on for the org.
    public func register(
        _ device: DeviceRegistration, timeoutMilliseconds: Int64 = 20_000
    ) async throws(FetchError) -> RecordID {
        let token = device.deviceToken
        guard !token.isEmpty, token.utf8.count <= 200, token.utf8.count.isMultiple(of: 2),
            token.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else {
            throw FetchError(.badRequest, advice: .stop, "the device token is not made of pairs of hexadecimal digits")
        }
        let call = try WriteCall(.create(device.fields), of: DeviceRegistration.object, version: version)
        guard let id = try await perform(RegistrationCall(write: call), timeoutMilliseconds) else {
            throw FetchError(.badReply, advice: .retryLater, "the reply does not name the registration")
        }
        return id
    }

    /// Removes a registration. Call it before the session ends. A registration that does not exist is not an error.
    public func unregister(_ id: RecordID, timeoutMilliseconds: Int64 = 20_000) async throws(FetchError) {
        let write = RecordWrite.delete(id)
        let call = try WriteCall(write, of: DeviceRegistration.object, version: version)
        do {
            _ = try await perform(RegistrationCall(write: call), timeoutMilliseconds)
        } catch  where error.isMissingRecord {
        }
    }
}

/// Creates or deletes a registration.
private struct RegistrationCall: RESTExchange {
    let write: WriteCall

    var call: RESTCall { write.call }

    func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> RecordID? {
        try write.id(reply, limits: limits)
    }
}
