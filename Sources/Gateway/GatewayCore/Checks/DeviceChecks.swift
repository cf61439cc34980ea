import APNSModel

/// Whether the path names a device that may be sent to: steps 8, 13, 17 and 18 of docs/reference/apns.md 3.5.
enum DeviceChecks {
    static func present(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let token = request.pathToken, token.isEmpty else { return nil }
        return Objection(.missingDeviceToken, "nothing follows /3/device/ in the path; put the device token there")
    }

    /// The longest device token that is documented anywhere, in bytes (docs/reference/apns.md section 8).
    static let maximumBytes = 100

    static func form(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.pathToken else { return nil }
        guard let token = text.withContiguousUTF8({ DeviceToken(utf8: $0) }) else {
            let count = text.utf8.count
            let isOdd = text.utf8.allSatisfy(\.isHexDigit)
            return Objection(
                .badDeviceToken,
                isOdd
                    ? "the device token has \(count) hex digits, which is an odd number; one was lost or added"
                    : "the device token of \(count) characters is not all hexadecimal digits")
        }
        let isStrict = world.settings.contested.requires32ByteDeviceTokens
        guard isStrict ? token.byteCount == 32 : token.byteCount <= maximumBytes else {
            return Objection(
                .badDeviceToken,
                "the device token has \(token.byteCount) bytes; "
                    + (isStrict ? "it has to have 32" : "the limit is \(maximumBytes)"))
        }
        request.deviceToken = token
        return nil
    }

    static func known(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let token = request.deviceToken else { return nil }
        request.slot = world.tables.slot(of: token, in: connection.environment)
        guard request.slot == nil else { return nil }
        let other: APNSEnvironment = connection.environment == .sandbox ? .production : .sandbox
        if world.tables.slot(of: token, in: other) != nil {
            return Objection(
                .badDeviceToken,
                "the device token \(token.shortened) belongs to \(other.rawValue); this is "
                    + "\(connection.environment.rawValue)")
        }
        guard world.settings.unknownDevices == .strict else { return nil }
        return Objection(
            .badDeviceToken,
            "the device token \(token.shortened) is not registered in \(connection.environment.rawValue); "
                + "register the device, or let the gateway take unknown ones with the setting devices: open")
    }

    static func capacity(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.slot == nil else { return nil }
        let maximum = world.maximumDevices(in: connection.environment)
        guard !world.tables[connection.environment].canAdd(maximum, forgetting: true) else {
            return nil
        }
        guard !world.isMemoryFull else {
            return Objection(.serviceUnavailable, RegistrationError.memoryFull.description)
        }
        return Objection(
            .serviceUnavailable,
            "the gateway has \(maximum) registered devices, which is its limit, and cannot register another on use")
    }

    static func expired(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let slot = request.slot else { return nil }
        guard let expiresAt = world.tables.expiresAt(of: slot, in: connection.environment), expiresAt <= request.now
        else {
            return nil
        }
        let status = world.settings.contested.expiredTokenStatus
        return Objection(
            Reason(Reason.expiredToken.code, status),
            "the device token expired \(Period.text((request.now - expiresAt) / 1000)) ago; delete it",
            timestamp: status == 410 ? expiresAt : nil)
    }

    /// The timestamp is when the gateway learned of the uninstall, which `unregisteredDelay` or a fault rule delays.
    static func registered(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let slot = request.slot else { return nil }
        guard case .uninstalled(let at) = world.tables.registration(of: slot, in: connection.environment) else {
            return nil
        }
        let known = world.tables[connection.environment][slot].noticedAt ?? at + world.settings.unregisteredDelay
        guard request.now >= known else { return nil }
        return Objection(
            .unregistered,
            "the app was uninstalled \(Period.text((request.now - at) / 1000)) ago; delete the device token unless the "
                + "app reported it again after the timestamp. The real service takes longer to notice",
            timestamp: known)
    }

    static func rate(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let rate = world.settings.deviceRate, request.deviceToken != nil else { return nil }
        guard rate.count > 0 else {
            return Objection(
                .tooManyRequests,
                "the limit of notifications to a device token is 0 within \(Period.text(rate.period / 1000)), so each of "
                    + "them is refused; change the setting device-rate")
        }
        // The first one to a device that is registered by its use counts when it is registered.
        guard let slot = request.slot else { return nil }
        guard world.tables[connection.environment][slot].rate.counts(against: rate, at: request.now) else {
            return Objection(
                .tooManyRequests,
                "the device token got \(rate.count) notifications within \(Period.text(rate.period / 1000)), which is "
                    + "its limit; wait before the next one to this device")
        }
        return nil
    }
}

extension Substring {
    /// The bytes in place: text from the wire is not copied.
    fileprivate func withContiguousUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = self
        return text.withUTF8(body)
    }
}
