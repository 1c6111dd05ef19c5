package dev.varve.service.security;

import dev.varve.engine.port.AccessControl;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.web.Problem;
import dev.varve.service.web.ProblemWriter;
import dev.varve.service.web.RequestGuardFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.HeaderWriterFilter;

/** Every route needs a login but those listed here. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
@Import(TokenController.class)
public class SecurityConfiguration {

  /** Whether this process lets requests of its own machine in without a login. */
  public record LocalAccess(boolean open) {}

  @Bean
  Users users(Home home, Clock clock) {
    return new Users(home, clock);
  }

  @Bean
  Tokens tokens(Home home, Clock clock) {
    return new Tokens(home, clock);
  }

  @Bean
  Authenticator authenticator(
      Users users,
      Tokens tokens,
      Clock clock,
      ServiceConfiguration configuration,
      LocalAccess localAccess) {
    return new Authenticator(users, tokens, clock, localAccess.open() && isLoopback(configuration));
  }

  private static boolean isLoopback(ServiceConfiguration configuration) {
    return java.net.InetAddress.ofLiteral(configuration.address()).isLoopbackAddress();
  }

  @Bean
  AccessControl accessControl(ServiceConfiguration configuration, Home home) {
    return new ServiceAccessControl(configuration.fileRoots(), configuration.storage(), home);
  }

  /** Keeps Spring Boot from making up a user: {@link LoginFilter} is the only way in. */
  @Bean
  AuthenticationManager noOtherLogin() {
    return authentication -> {
      throw new org.springframework.security.authentication.BadCredentialsException("unused");
    };
  }

  /** Names in Iceberg's paths may hold a slash, encoded; nowhere else may one be. */
  @Bean
  HttpFirewall firewall() {
    StrictHttpFirewall strict = new StrictHttpFirewall();
    StrictHttpFirewall slashes = new StrictHttpFirewall();
    slashes.setAllowUrlEncodedSlash(true);
    return new HttpFirewall() {
      @Override
      public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
        boolean iceberg = request.getRequestURI().startsWith("/iceberg/v1/");
        return (iceberg ? slashes : strict).getFirewalledRequest(request);
      }

      @Override
      public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
        return strict.getFirewalledResponse(response);
      }
    };
  }

  @Bean
  SecurityFilterChain filterChain(
      HttpSecurity http,
      Authenticator authenticator,
      ProblemWriter problems,
      ServiceConfiguration configuration) {
    http.authorizeHttpRequests(
            routes ->
                routes
                    .requestMatchers(HttpMethod.GET, "/actuator/health", "/actuator/health/*")
                    .permitAll()
                    // Only says how to log in instead.
                    .requestMatchers(HttpMethod.POST, "/iceberg/v1/oauth/tokens")
                    .permitAll()
                    .requestMatchers("/error")
                    .permitAll()
                    .anyRequest()
                    .authenticated())
        .addFilterAfter(
            new RequestGuardFilter(
                problems, configuration.maxBodyBytes(), isLoopback(configuration)),
            HeaderWriterFilter.class)
        .addFilterAt(new LoginFilter(authenticator, problems), BasicAuthenticationFilter.class)
        .exceptionHandling(
            errors ->
                errors
                    .authenticationEntryPoint(
                        (request, response, failure) ->
                            LoginFilter.refuse(
                                request,
                                response,
                                problems,
                                "log in with a bearer token, or name and password"))
                    .accessDeniedHandler(
                        (request, response, failure) ->
                            problems.write(
                                request,
                                response,
                                Problem.of(HttpStatus.FORBIDDEN, "not allowed"))))
        .headers(
            headers ->
                headers.contentSecurityPolicy(
                    policy ->
                        policy.policyDirectives("default-src 'none'; frame-ancestors 'none'")))
        .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        // No cookie carries a login, requests from other sites' pages are refused by the guard, and
        // whatever changes something needs a JSON body or a method that a form cannot send.
        .csrf(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .formLogin(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .anonymous(AbstractHttpConfigurer::disable);
    return http.build();
  }
}
