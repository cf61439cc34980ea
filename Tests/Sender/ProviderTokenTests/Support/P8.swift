/// Writes the DER of `.p8` files in the variants that tests need.
struct P8 {
    var algorithm = Fixtures.hex("06072a8648ce3d020106082a8648ce3d030107")
    var version: UInt8 = 0
    var privateValue = Fixtures.privateValue
    var hasParameters = false
    var point: [UInt8]? = Fixtures.point
    var trailing: [UInt8] = []

    var der: [UInt8] {
        var inner = P8.element(0x02, [1]) + P8.element(0x04, privateValue)
        if hasParameters { inner += P8.element(0xa0, Fixtures.hex("06082a8648ce3d030107")) }
        if let point { inner += P8.element(0xa1, P8.element(0x03, [0] + point)) }
        let key = P8.element(0x04, P8.element(0x30, inner))
        return P8.element(0x30, P8.element(0x02, [version]) + P8.element(0x30, algorithm) + key + trailing)
    }

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        content.count < 128
            ? [tag, UInt8(content.count)] + content : [tag, 0x81, UInt8(content.count)] + content
    }
}
