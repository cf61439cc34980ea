package import GatewayCore

extension GatewayError {
    package init(registering fault: RegistrationError) {
        self.init(
            .badConfiguration, "a key, an app or a fault rule cannot be registered: \(fault.description)")
    }
}
