import APNSModel

extension DoctorCheck {
    static let deviceTokenForm = DoctorCheck(
        id: "device-token-form", layer: .device,
        summary: "The device token is hexadecimal digits, two for each byte.",
        cause: "It is the description of a Data value, base64, or the token of another service such as Firebase.",
        next: "write the hexadecimal digits that the app got from the system",
        subject: \.deviceToken
    ) { text in
        if let problem = DeviceTokenProblem(text) {
            return .fail("the device token \(problem)", next: problem.advice)
        }
        let bytes = text.utf8.count / 2
        guard bytes <= 100 else { return .fail("the device token has \(bytes) bytes, and none has more than 100") }
        guard bytes == 32 else {
            return .warn(
                "the device token has \(bytes) bytes; that of an app has 32, and others, such as that of a Live Activity, have more",
                next: "compare it with what the app got")
        }
        return .pass("the device token \(DeviceToken.shorten(text)) has 32 bytes")
    }
}
