extension DeviceToken {
    /// The bytes that the system gives to the app, such as a `Data`. Fails if there are none.
    public init?(_ bytes: some Sequence<UInt8>) {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(DeviceToken.digits[Int(byte >> 4)])
            digits.append(DeviceToken.digits[Int(byte & 15)])
        }
        guard let token = digits.withUnsafeBufferPointer({ DeviceToken(utf8: $0) }) else { return nil }
        self = token
    }

    /// The bytes that the system gives to the app, such as a `Data`.
    ///
    /// - Throws: If there are none.
    public init(parsing bytes: some Sequence<UInt8>) throws(APNSValueError) {
        guard let token = DeviceToken(bytes) else {
            throw APNSValueError(.deviceToken, "the device token has no bytes; pass the bytes that the app was given")
        }
        self = token
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
