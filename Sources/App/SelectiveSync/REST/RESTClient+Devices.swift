public import PushDispatch

extension RESTClient {
    /// Enters a device in the CRM's registry.
    ///
    /// - Returns: The registration's id, to be kept for `unregister` at log-out.
    /// - Throws: `badRequest` where the device token is not made of hexadecimal digits, and what the server refuses;
    ///   404 means that push is not switched on.
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

    /// Takes a device out of the registry, which has to happen before the session ends. One that is gone already is as
    /// good as taken out.
    public func unregister(_ id: RecordID, timeoutMilliseconds: Int64 = 20_000) async throws(FetchError) {
        let write = RecordWrite.delete(id, unmodifiedSince: nil)
        let call = try WriteCall(write, of: DeviceRegistration.object, version: version)
        do {
            _ = try await perform(RegistrationCall(write: call), timeoutMilliseconds)
        } catch  where error.isMissingRecord {
        }
    }

    /// The user's devices that the registry knows, at most some thousands.
    public func registeredDevices(timeoutMilliseconds: Int64 = 20_000) async throws(FetchError) -> [RegisteredDevice] {
        var request = QueryRequest(
            object: DeviceRegistration.object,
            fields: ["Id", "ConnectionToken", "ServiceType", "ApplicationBundle"], orderField: "",
            timeoutMilliseconds: timeoutMilliseconds)
        var devices: [RegisteredDevice] = []
        for _ in 0..<8 {
            let page = try await query(request)
            devices += page.records.compactMap { RegisteredDevice($0) }
            guard let next = page.next else { return devices }
            request.next = next
        }
        throw FetchError(.badReply, advice: .retryLater, "the list of devices has no end")
    }
}

/// Enters a device, or takes it out.
private struct RegistrationCall: RESTExchange {
    let write: WriteCall

    var call: RESTCall { write.call }

    func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> RecordID? {
        try write.id(reply, limits: limits)
    }
}
