/// Makes the access and refresh tokens of a server.
package enum RandomToken {
    /// 160 random bits.
    @Sendable package static func make(_ serial: UInt64) -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return "00Dxx!" + String((0..<27).map { _ in digits[Int.random(in: 0..<62, using: &generator)] })
    }
}
