package import DevelopmentCredentials

extension GatewayError {
    package init(_ error: CredentialsError) {
        let code: Code =
            switch error.code {
            case .badCredentials: .badCredentials
            case .expiredCredentials: .expiredCredentials
            case .cannotWrite: .cannotWrite
            }
        self.init(code, error.detail)
    }
}
