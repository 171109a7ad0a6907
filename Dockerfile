# A static program and nothing else: docker run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" herdsim check scenarios
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.release=$VERSION" -o /herdsim ./cmd/herdsim

FROM scratch
COPY --from=build /herdsim /herdsim
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/herdsim"]
